"""The bug classes: what each code means in one line, the question that explains it, and where in a source to look."""

from __future__ import annotations

from interview_coach.records import record
from interview_coach.text import Language, Text


@record
class BugClass:
    """``message`` completes the verdict; ``question`` is an id of the bank."""

    message: Text
    question: str | None = None


BUG_CLASSES: dict[str, BugClass] = {
    "missing-scale": BugClass(Text("your output equals attention without the factor 1/√d", "你的输出等于没有乘 1/√d 的注意力"), "why-sqrt-dk"),
    "scale-by-d": BugClass(Text("your output equals attention scaled by 1/d instead of 1/√d", "你的输出等于除以 d（而不是 √d）的注意力"), "why-not-dk-or-log-dk"),
    "scale-by-d-model": BugClass(Text("your output equals attention scaled by √d_model instead of √d_head", "你的输出等于按 √d_model（而不是 √d_head）缩放的注意力"), "scale-per-head"),
    "scale-by-log-d": BugClass(Text("your output equals attention divided by log d instead of √d", "你的输出等于除以 log d（而不是 √d）的注意力"), "why-not-dk-or-log-dk"),
    "scale-inverted": BugClass(Text("your output equals attention multiplied by √d where it must be divided", "本该除以 √d，你却乘了它"), "why-sqrt-dk"),
    "scale-after-softmax": BugClass(Text("the weights are scaled after the softmax, not the scores before it", "缩放的是 softmax 之后的权重，而不是之前的打分"), "why-sqrt-dk"),
    "scale-hard-coded": BugClass(Text("the scale is a constant that fits one head size only", "缩放是写死的常数，只对一种头维度正确"), "scale-per-head"),
    "scale-from-padded-dim": BugClass(Text("the scale comes from another dim than the key dim (a padded or the value dim)", "缩放用错了维度（补齐后的维度或 value 的维度），应当用 key 的维度"), "scale-per-head"),
    "scale-from-length": BugClass(Text("the scale comes from the sequence length, not from the head dim", "缩放用的是序列长度，而不是头维度"), "why-sqrt-dk"),
    "softmax-wrong-axis": BugClass(Text("the softmax runs over the wrong axis; it belongs over the keys", "softmax 的维度错了，应当沿 key 那一维"), "softmax-axis"),
    "softmax-missing": BugClass(Text("there is no softmax: the weights are not exp(score) / sum of exp over the keys", "没有 softmax：权重不是 exp(打分) 除以沿 key 的总和"), "softmax-axis"),
    "sigmoid-for-softmax": BugClass(Text("a sigmoid stands where the softmax belongs", "该用 softmax 的地方用了 sigmoid"), "softmax-axis"),
    "double-softmax": BugClass(Text("the softmax is applied twice", "softmax 做了两次"), "softmax-axis"),
    "base-two-exponent": BugClass(Text("2^x without the factor log2(e): a softmax in base 2", "用了 2^x 却没有乘 log2(e)：这是以 2 为底的 softmax"), "why-subtract-max"),
    "no-max-subtraction": BugClass(Text("exp without subtracting the maximum overflows for large scores", "exp 之前没有减最大值，打分一大就溢出"), "why-subtract-max"),
    "scores-transposed": BugClass(Text("the scores are those of K Qᵀ, or the key is turned over the wrong dims", "算的是 K Qᵀ，或者 key 转置错了维度"), "attention-formula-shapes"),
    "values-keys-swapped": BugClass(Text("query, key and value are taken in the wrong order", "query、key、value 的顺序拿错了"), "attention-formula-shapes"),
    "projection-reused": BugClass(Text("one projection is used twice and another never", "一个投影用了两次，另一个从未使用"), "why-multi-head"),
    "heads-not-transposed": BugClass(Text("heads are split by a view to (B, H, S, D) without a transpose", "直接 view 成 (B, H, S, D) 来分头，没有转置"), "split-and-merge"),
    "heads-merge-not-transposed": BugClass(Text("heads are merged without transposing back first", "合并各头之前没有先转置回来"), "split-and-merge"),
    "heads-averaged": BugClass(Text("the heads are averaged, not concatenated", "各头被取了平均，而不是拼接"), "split-and-merge"),
    "heads-axis-order": BugClass(Text("the heads come back in another order", "各头的次序变了"), "split-and-merge"),
    "heads-share-weights": BugClass(Text("all heads use the same projection", "所有头共用同一个投影"), "why-multi-head"),
    "output-projection-missing": BugClass(Text("the output projection is never applied", "输出投影没有用上"), "why-multi-head"),
    "bias-unused": BugClass(Text("a bias of the projections is never added", "投影的偏置没有加上"), "why-multi-head"),
    "residual-inside": BugClass(Text("the input is added to the output", "输出里加上了输入（残差）"), "why-multi-head"),
    "context-ignored": BugClass(Text("keys and values come from x, the context is ignored", "key 和 value 来自 x，context 被忽略了"), "cross-attention-init"),
    "queries-from-context": BugClass(Text("the queries come from the context", "query 来自 context"), "cross-attention-init"),
    "crashes-on-shape": BugClass(Text("it raises on a shape that its contract allows", "在约定允许的形状上报错"), "attention-formula-shapes"),
    "batch-of-one-only": BugClass(Text("it works for a batch of one only", "只有 batch 为 1 时才对"), "attention-formula-shapes"),
    "batch-mixed": BugClass(Text("it attends along the batch: batch and sequence axis are confused", "注意力跑到了 batch 维上：batch 和序列两维弄混了"), "attention-formula-shapes"),
    "gqa-tiled-heads": BugClass(Text("key/value heads are tiled (repeat), where each must serve a run of query heads (repeat_interleave)", "key/value 头是整体平铺的（repeat），应当每个头服务连续的一组 query 头（repeat_interleave）"), "why-multi-head"),
    "gqa-wrong-axis": BugClass(Text("key/value heads are repeated along another axis than that of the heads", "key/value 头沿着错误的维度重复，应沿 head 那一维"), "mha-mqa-gqa"),
    "mask-inverted": BugClass(Text("the mask is read the wrong way round", "掩码的含义用反了"), "masks-basics"),
    "mask-ignored": BugClass(Text("the mask has no effect", "掩码没有起作用"), "masks-basics"),
    "mask-multiplied": BugClass(Text("masked scores become 0, and e⁰ = 1 leaks", "被遮的打分变成 0，而 e⁰ = 1 会泄漏"), "masks-basics"),
    "mask-filled-with-zero": BugClass(Text("masked scores become 0, and e⁰ = 1 leaks", "被遮的打分变成 0，而 e⁰ = 1 会泄漏"), "masks-basics"),
    "mask-fill-weak": BugClass(Text("the fill of masked scores is too weak: masked keys leak in when scores are large", "填充值不够小：打分一大，被遮的 key 就会泄漏"), "masks-basics"),
    "mask-fill-positive": BugClass(Text("masked scores are filled with a positive value, so the masked keys win", "被遮的打分填了正数，被遮的 key 反而占了上风"), "masks-basics"),
    "mask-after-softmax": BugClass(Text("the mask is applied after the softmax, rows no longer sum to 1", "掩码在 softmax 之后才用，每行的和不再是 1"), "masks-basics"),
    "mask-added-as-bool": BugClass(Text("the boolean mask is added to the scores as 0 and 1", "布尔掩码被当作 0 和 1 加到了打分上"), "masks-basics"),
    "mask-on-queries": BugClass(Text("the mask acts on the query axis instead of the key axis", "掩码作用在 query 维上，而不是 key 维"), "masks-basics"),
    "mask-wrong-broadcast": BugClass(Text("the mask lands on another axis, or on another batch entry or head", "掩码落到了别的维度，或者别的样本、别的头上"), "masks-basics"),
    "mask-overwritten": BugClass(Text("of the causal and the given mask only one takes effect", "因果掩码和传入的掩码只有一个生效"), "masks-basics"),
    "mask-fill-overflows-half": BugClass(Text("the fill (such as -1e9) does not fit into fp16", "填充值（如 -1e9）超出了 fp16 的范围"), "fp16-overflow-bf16"),
    "fully-masked-nan": BugClass(Text("a row with nothing to attend to gives NaN", "没有任何 key 可看的行得到 NaN"), "fully-masked-row"),
    "fully-masked-mean": BugClass(Text("a row with nothing to attend to gives the mean of the values", "没有任何 key 可看的行得到 value 的平均"), "fully-masked-row"),
    "causal-missing": BugClass(Text("there is no causal mask: queries see later keys", "没有因果掩码：query 能看到后面的 key"), "masks-basics"),
    "causal-reversed": BugClass(Text("the causal mask is turned round: queries see later keys instead of earlier ones", "因果掩码反了：query 看的是后面的 key"), "masks-basics"),
    "causal-leaks-next": BugClass(Text("the causal diagonal is off: a query sees keys after its own position", "因果对角线偏了：query 看到了自身之后的 key"), "masks-basics"),
    "causal-hides-self": BugClass(Text("the causal diagonal is off by one: a query does not see its own position", "因果对角线偏了一位：query 看不到自身"), "masks-basics"),
    "causal-top-left": BugClass(Text("the causal mask is aligned to the top left; with Sq ≠ Sk it belongs to the bottom right", "因果掩码按左上角对齐；Sq ≠ Sk 时应按右下角对齐"), "causal-alignment"),
    "cache-offset": BugClass(Text("mask or positions of a chunk are wrong by the number of tokens in the cache", "chunk 的掩码或位置没有按缓存中的 token 数平移（或移错了）"), "causal-alignment"),
    "cache-chunk-not-causal": BugClass(Text("a chunk of several tokens that comes after others is not causal: its tokens see each other's future", "缓存之后的多 token chunk 内部不是因果的：能看到本 chunk 里后面的 token"), "causal-alignment"),
    "cache-stale": BugClass(Text("the cache does not hold the keys and values of exactly this sequence so far", "缓存里的 key、value 与当前序列到目前为止的不一致"), "kv-cache-what-why"),
    "accumulator-not-rescaled": BugClass(Text("the accumulated output is not rescaled when the running maximum grows", "最大值变大时，没有对累加的输出重新缩放"), "online-softmax"),
    "denominator-not-rescaled": BugClass(Text("the running sum is not rescaled when the running maximum grows", "最大值变大时，没有对累加的分母重新缩放"), "online-softmax"),
    "max-not-kept": BugClass(Text("the maximum of the block replaces the running maximum", "只用了当前块的最大值，没有保留全局的最大值"), "online-softmax"),
    "max-initialised-finite": BugClass(Text("the running maximum starts at a finite value: rows far below it fail", "最大值的初值是有限数：打分都远小于它时会出错"), "online-softmax"),
    "tail-dropped": BugClass(Text("keys beyond the last whole block are never read", "长度不是块大小的整数倍时，尾部没有算进去"), "flash-attention"),
    "not-tiled": BugClass(Text("it builds an S × S array: memory grows with the square of the length", "构造了 S × S 的数组：内存随长度的平方增长"), "flash-attention"),
    "tail-not-masked": BugClass(Text("what lies beyond the end of the last block is not masked", "最后一块超出末尾的部分没有遮住"), "flash-attention"),
    "wrong-stride": BugClass(Text("the kernel's addresses are wrong (a stride or an offset): it reads or writes other entries", "核函数的地址算错了（步长或偏移）：读写到了别的元素"), "flash-attention"),
    "wrong-program-id": BugClass(Text("a program takes another batch entry or head than its own", "program 取到了别的 batch 或别的头"), "flash-attention"),
    "inf-minus-inf": BugClass(Text("NaN from (-inf) - (-inf) when a first block is fully masked", "第一块全被遮住时出现 (-inf) - (-inf)，得到 NaN"), "fully-masked-row"),
    "half-overflow-before-scale": BugClass(Text("q·k passes 65504 in fp16 before the scale is applied", "fp16 下 q·k 在缩放之前就超过了 65504"), "fp16-overflow-bf16"),
    "low-precision-inside": BugClass(Text("arithmetic in less than the precision of the inputs", "内部运算的精度低于输入的精度"), "fp16-overflow-bf16"),
    "dtype-not-preserved": BugClass(Text("the output has another dtype than the inputs", "输出的 dtype 和输入不同"), "fp16-overflow-bf16"),
    "uninitialised-memory": BugClass(Text("the result depends on uninitialised memory (torch.empty, np.empty)", "结果依赖未初始化的内存（torch.empty、np.empty）"), None),
    "mutates-inputs": BugClass(Text("an argument is changed in place", "就地改动了传入的参数"), None),
    "stale-result": BugClass(Text("the result is that of an earlier call", "返回的是之前某次调用的结果"), None),
    "nondeterministic": BugClass(Text("two calls with the same inputs give different results", "同样的输入，两次调用结果不同"), None),
    "dropout-in-eval": BugClass(Text("dropout acts in eval mode", "eval 模式下 dropout 仍在起作用"), None),
    "assumes-contiguous": BugClass(Text("wrong for inputs that are views", "输入是视图（不连续）时出错"), "split-and-merge"),
    "gradient-detached": BugClass(Text("no gradient reaches the inputs", "梯度传不到输入"), "softmax-backward"),
    "gradient-wrong": BugClass(Text("the gradients differ from those of attention", "梯度和注意力应有的梯度不同"), "softmax-backward"),
    "delegates-to-library": BugClass(Text("it calls the library's own implementation instead of writing it out", "直接调用了库里的实现，而没有自己写出来"), None),
    "backward-missing-rowsum": BugClass(Text("the softmax backward lacks the row sum: dS = P ∘ (dP - rowsum(P ∘ dP))", "softmax 的反向少了行和：dS = P ∘ (dP − rowsum(P ∘ dP))"), "softmax-backward"),
    "backward-cross-entropy": BugClass(Text("P - y is the gradient of cross-entropy, not of the softmax alone", "P − y 是交叉熵的梯度，不是 softmax 本身的"), "softmax-backward"),
    "backward-missing-scale": BugClass(Text("the factor 1/√d of the scores is missing in dQ or dK", "dQ 或 dK 少乘了打分的 1/√d"), "softmax-backward"),
    "backward-transposed": BugClass(Text("a product with Sᵀ or Pᵀ is not transposed as it should be", "与 S 或 P 的乘积该转置的没有转置"), "softmax-backward"),
    "scale-twice": BugClass(Text("the factor 1/√d is applied twice, or where none belongs", "1/√d 乘了两次，或者乘在了不该乘的地方"), "why-not-dk-or-log-dk"),
    "merge-averaged": BugClass(Text("the partial outputs are not weighted by exp(lse) over the sum of both", "两部分输出没有按 exp(lse) 占两者之和的比例加权"), "online-softmax"),
    "merge-no-max": BugClass(Text("exp of a bare log-sum-exp overflows: subtract the larger of the two first", "直接对 log-sum-exp 取 exp 会溢出：先减去两者中较大的"), "online-softmax"),
    "merge-weights-swapped": BugClass(Text("each partial output has the weight of the other", "两部分输出用了对方的权重"), "online-softmax"),
    "lse-wrong": BugClass(Text("the log-sum-exp that comes back is not that of all keys", "返回的 log-sum-exp 不是全部 key 的"), "online-softmax"),
    "rope-pairing": BugClass(Text("channels are paired, or angles spread over them, in two different ways", "通道的配对方式，或角度的排布，前后不一致"), "rope-idea"),
    "rope-direction": BugClass(Text("the rotation has the wrong signs", "旋转的正负号错了"), "rope-idea"),
    "rope-wrong-axis": BugClass(Text("the angles run along another axis than the positions", "角度沿着错误的维度变化，应沿位置那一维"), "rope-idea"),
    "rope-positions-restart": BugClass(Text("the positions that were given are not the ones used", "用的不是传入的位置"), "rope-idea"),
    "rope-base": BugClass(Text("the frequencies are not base^(-2i/D)", "频率不是 base^(-2i/D)"), "rope-idea"),
    "linear-missing-normaliser": BugClass(Text("the output is not divided by φ(q) · Σ φ(k)", "输出没有除以 φ(q) · Σ φ(k)"), "linear-attention"),
    "linear-missing-feature-map": BugClass(Text("the feature map elu(x) + 1 is missing, or is another", "缺少特征映射 elu(x) + 1，或用了别的映射"), "linear-attention"),
    "linear-not-causal": BugClass(Text("with causal=True a query sees other keys than those up to its own position", "causal=True 时 query 看到的不是自身及之前的 key"), "linear-attention"),
    "rope-on-values": BugClass(Text("the values are rotated too; only queries and keys are", "value 也被旋转了；只应旋转 query 和 key"), "rope-idea"),
    "rope-one-sided": BugClass(Text("only the queries or only the keys are rotated, so the scores depend on absolute positions", "只旋转了 query 或只旋转了 key，打分因此依赖绝对位置"), "rope-idea"),
    "alibi-sign": BugClass(Text("the bias grows with the distance, where it must fall: far keys are favoured", "偏置随距离增大，本应减小：远处的 key 反而占优"), "rope-vs-alibi"),
    "alibi-slopes": BugClass(Text("the bias is not -2^(-8(h+1)/H) times the distance", "偏置不是 −2^(−8(h+1)/H) 乘以距离"), "rope-vs-alibi"),
    "window-too-wide": BugClass(Text("queries see further back than the window: it is i-W+1 .. i, the query's own key included", "query 看得比窗口更远：应为 i−W+1 .. i，含自身"), "sliding-window"),
    "window-too-narrow": BugClass(Text("queries see fewer keys than the window holds: it is i-W+1 .. i", "query 看到的 key 少于窗口大小：应为 i−W+1 .. i"), "sliding-window"),
    "window-two-sided": BugClass(Text("the window reaches to keys after the query as well", "窗口也包含了 query 之后的 key"), "sliding-window"),
    "window-ignored": BugClass(Text("the window has no effect", "窗口没有起作用"), "sliding-window"),
    "sparse-global-one-way": BugClass(Text("global tokens must both see every key and be seen by every query", "全局 token 既要看到所有 key，也要被所有 query 看到"), "long-sequences"),
    "sparse-global-wrong": BugClass(Text("the global tokens are not the ones that were given", "全局 token 不是传入的那些"), "long-sequences"),
    "sparse-window-wrong": BugClass(Text("the window does not reach `window` keys to each side", "窗口没有向两侧各覆盖 window 个 key"), "sliding-window"),
    "sparse-counted-twice": BugClass(Text("a global key inside the window is counted twice", "窗口内的全局 key 被算了两次"), "long-sequences"),
    "paged-block-order": BugClass(Text("the blocks are not read in the order of the block table", "没有按块表的顺序读取各块"), "paged-attention"),
    "paged-tail-read": BugClass(Text("slots beyond the context length are read", "读了上下文长度之外的槽位"), "paged-attention"),
    "smoothing-excludes-target": BugClass(Text("eps must be spread over all classes, the target included", "eps 要分给所有类别，包括目标类别"), "why-subtract-max"),
    "smoothing-wrong-weights": BugClass(Text("the smoothed targets are not (1 - eps) · one-hot + eps / C", "平滑后的目标不是 (1 − eps) · one-hot + eps / C"), "why-subtract-max"),
    "smoothing-wrong-reduction": BugClass(Text("the losses are not averaged over the batch", "损失没有在 batch 上取平均"), "why-subtract-max"),
}  # fmt: skip


def message(code: str, language: Language = "en") -> str:
    """One line for a code."""
    known = BUG_CLASSES.get(code)
    return known.message.get(language) if known else code.replace("-", " ")


def question(code: str) -> str | None:
    """The id of the question that explains a code."""
    known = BUG_CLASSES.get(code)
    return known.question if known else None
