"""The bug classes: what each code means in one line, the question that explains it, and where in a source to look."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BugClass:
    """``message`` completes the verdict; ``question`` is an id of the bank."""

    message: str
    question: str | None = None


_A = "your output equals attention "
BUG_CLASSES: dict[str, BugClass] = {
    "missing-scale": BugClass(_A + "without the factor 1/√d", "why-sqrt-dk"),
    "scale-by-d": BugClass(_A + "scaled by 1/d instead of 1/√d", "why-not-dk-or-log-dk"),
    "scale-by-d-model": BugClass(_A + "scaled by √d_model instead of √d_head", "scale-per-head"),
    "scale-by-log-d": BugClass(_A + "divided by log d instead of √d", "why-not-dk-or-log-dk"),
    "scale-inverted": BugClass(_A + "multiplied by √d where it must be divided", "why-sqrt-dk"),
    "scale-after-softmax": BugClass("the weights are scaled after the softmax, not the scores before it", "why-sqrt-dk"),
    "scale-hard-coded": BugClass("the scale is a constant that fits one head size only", "scale-per-head"),
    "scale-from-padded-dim": BugClass("the scale comes from another dim than the key dim (a padded or the value dim)", "scale-per-head"),
    "scale-from-length": BugClass("the scale comes from the sequence length, not from the head dim", "why-sqrt-dk"),
    "softmax-wrong-axis": BugClass("the softmax runs over the wrong axis; it belongs over the keys", "softmax-axis"),
    "softmax-missing": BugClass("there is no softmax: the weights are not exp(score) / sum of exp over the keys", "softmax-axis"),
    "sigmoid-for-softmax": BugClass("a sigmoid stands where the softmax belongs", "softmax-axis"),
    "double-softmax": BugClass("the softmax is applied twice", "softmax-axis"),
    "base-two-exponent": BugClass("2^x without the factor log2(e): a softmax in base 2", "why-subtract-max"),
    "no-max-subtraction": BugClass("exp without subtracting the maximum overflows for large scores", "why-subtract-max"),
    "scores-transposed": BugClass("the scores are those of K Qᵀ, or the key is turned over the wrong dims", "attention-formula-shapes"),
    "values-keys-swapped": BugClass("query, key and value are taken in the wrong order", "attention-formula-shapes"),
    "projection-reused": BugClass("one projection is used twice and another never", "why-multi-head"),
    "heads-not-transposed": BugClass("heads are split by a view to (B, H, S, D) without a transpose", "split-and-merge"),
    "heads-merge-not-transposed": BugClass("heads are merged without transposing back first", "split-and-merge"),
    "heads-averaged": BugClass("the heads are averaged, not concatenated", "split-and-merge"),
    "heads-axis-order": BugClass("the heads come back in another order", "split-and-merge"),
    "heads-share-weights": BugClass("all heads use the same projection", "why-multi-head"),
    "output-projection-missing": BugClass("the output projection is never applied", "why-multi-head"),
    "bias-unused": BugClass("a bias of the projections is never added", "why-multi-head"),
    "residual-inside": BugClass("the input is added to the output", "why-multi-head"),
    "context-ignored": BugClass("keys and values come from x, the context is ignored", "cross-attention-init"),
    "queries-from-context": BugClass("the queries come from the context", "cross-attention-init"),
    "crashes-on-shape": BugClass("it raises on a shape that its contract allows", "attention-formula-shapes"),
    "batch-of-one-only": BugClass("it works for a batch of one only", "attention-formula-shapes"),
    "batch-mixed": BugClass("it attends along the batch: batch and sequence axis are confused", "attention-formula-shapes"),
    "gqa-tiled-heads": BugClass("key/value heads are tiled (repeat), where each must serve a run of query heads (repeat_interleave)", "why-multi-head"),
    "mask-inverted": BugClass("the mask is read the wrong way round", "masks-basics"),
    "mask-ignored": BugClass("the mask has no effect", "masks-basics"),
    "mask-multiplied": BugClass("masked scores become 0, and e⁰ = 1 leaks", "masks-basics"),
    "mask-filled-with-zero": BugClass("masked scores become 0, and e⁰ = 1 leaks", "masks-basics"),
    "mask-fill-weak": BugClass("the fill of masked scores is too weak: masked keys leak in when scores are large", "masks-basics"),
    "mask-fill-positive": BugClass("masked scores are filled with a positive value, so the masked keys win", "masks-basics"),
    "mask-after-softmax": BugClass("the mask is applied after the softmax, rows no longer sum to 1", "masks-basics"),
    "mask-added-as-bool": BugClass("the boolean mask is added to the scores as 0 and 1", "masks-basics"),
    "mask-on-queries": BugClass("the mask acts on the query axis instead of the key axis", "masks-basics"),
    "mask-wrong-broadcast": BugClass("the mask lands on another axis, or on another batch entry or head", "masks-basics"),
    "mask-overwritten": BugClass("of the causal and the given mask only one takes effect", "masks-basics"),
    "mask-fill-overflows-half": BugClass("the fill (such as -1e9) does not fit into fp16", "fp16-overflow-bf16"),
    "fully-masked-nan": BugClass("a row with nothing to attend to gives NaN", "fully-masked-row"),
    "fully-masked-mean": BugClass("a row with nothing to attend to gives the mean of the values", "fully-masked-row"),
    "causal-missing": BugClass("there is no causal mask: queries see later keys", "masks-basics"),
    "causal-reversed": BugClass("the causal mask is turned round: queries see later keys instead of earlier ones", "masks-basics"),
    "causal-leaks-next": BugClass("the causal diagonal is off: a query sees keys after its own position", "masks-basics"),
    "causal-hides-self": BugClass("the causal diagonal is off by one: a query does not see its own position", "masks-basics"),
    "causal-top-left": BugClass("the causal mask is aligned to the top left; with Sq ≠ Sk it belongs to the bottom right", "causal-alignment"),
    "inf-minus-inf": BugClass("NaN from (-inf) - (-inf) when a first block is fully masked", "fully-masked-row"),
    "half-overflow-before-scale": BugClass("q·k passes 65504 in fp16 before the scale is applied", "fp16-overflow-bf16"),
    "low-precision-inside": BugClass("arithmetic in less than the precision of the inputs", "fp16-overflow-bf16"),
    "dtype-not-preserved": BugClass("the output has another dtype than the inputs", "fp16-overflow-bf16"),
    "uninitialised-memory": BugClass("the result depends on uninitialised memory (torch.empty, np.empty)", None),
    "mutates-inputs": BugClass("an argument is changed in place", None),
    "stale-result": BugClass("the result is that of an earlier call", None),
    "nondeterministic": BugClass("two calls with the same inputs give different results", None),
    "dropout-in-eval": BugClass("dropout acts in eval mode", None),
    "assumes-contiguous": BugClass("wrong for inputs that are views", "split-and-merge"),
    "gradient-detached": BugClass("no gradient reaches the inputs", "softmax-backward"),
    "gradient-wrong": BugClass("the gradients differ from those of attention", "softmax-backward"),
    "delegates-to-library": BugClass("it calls the library's own implementation instead of writing it out", None),
}  # fmt: skip


def message(code: str) -> str:
    """One line for a code."""
    known = BUG_CLASSES.get(code)
    return known.message if known else code.replace("-", " ")


def question(code: str) -> str | None:
    """The id of the question that explains a code."""
    known = BUG_CLASSES.get(code)
    return known.question if known else None
