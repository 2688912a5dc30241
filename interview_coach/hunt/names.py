"""What each bug is, in a few words and in both languages, to choose from."""

from __future__ import annotations

from interview_coach.grading.codes import message
from interview_coach.text import Text

_PREFIX = "your output equals attention "
_CHINESE = {
    "missing-scale": "没有除以 √d",
    "scale-by-d": "除以 d，而不是 √d",
    "scale-by-d-model": "用 √d_model 缩放，而不是 √d_head",
    "scale-by-log-d": "除以 log d，而不是 √d",
    "scale-inverted": "该除以 √d 的地方乘了 √d",
    "scale-after-softmax": "缩放的是 softmax 之后的权重，而不是之前的打分",
    "scale-hard-coded": "缩放是常数，只适合一种头维度",
    "scale-from-length": "缩放取自序列长度，而不是头维度",
    "softmax-wrong-axis": "归一化的轴不对，应沿 key 的轴",
    "softmax-missing": "没有 softmax：权重没有归一化，或不是 exp(score)",
    "sigmoid-for-softmax": "该用 softmax 的地方用了 sigmoid",
    "double-softmax": "做了两次 softmax",
    "base-two-exponent": "用了 2^x 却没有乘 log2(e)：以 2 为底的 softmax",
    "no-max-subtraction": "exp 之前没有减去最大值，打分大时溢出",
    "scores-transposed": "打分算成了 K Qᵀ，或 key 转置的维度不对",
    "values-keys-swapped": "query、key、value 的顺序取错了",
    "projection-reused": "一个投影用了两次，另一个没有用到",
    "heads-not-transposed": "拆头只用了 view，没有转置",
    "heads-merge-not-transposed": "合并各头之前没有转置回来",
    "heads-averaged": "各头取了平均，而不是拼接",
    "output-projection-missing": "没有用输出投影",
    "residual-inside": "把输入加到了输出上",
    "context-ignored": "key 和 value 来自 x，没有用 context",
    "queries-from-context": "query 来自 context",
    "mask-inverted": "掩码的真假理解反了",
    "mask-ignored": "掩码没有起作用",
    "mask-filled-with-zero": "被遮的打分变成 0，而 e⁰ = 1 会泄漏",
    "mask-fill-weak": "填充值不够小：打分大时被遮的 key 会泄漏",
    "mask-fill-positive": "被遮的打分填了正数，被遮的 key 反而占优",
    "mask-after-softmax": "掩码加在 softmax 之后，每行之和不再是 1",
    "mask-added-as-bool": "布尔掩码被当作 0 和 1 加到打分上",
    "mask-on-queries": "掩码作用在 query 的轴上，而不是 key 的轴",
    "mask-wrong-broadcast": "掩码广播到了别的轴、样本或头上",
    "mask-overwritten": "因果掩码与传入的掩码只有一个生效",
    "mask-fill-overflows-half": "填充值（如 -1e9）超出 fp16 的范围",
    "causal-missing": "没有因果掩码：query 能看到后面的 key",
    "causal-reversed": "因果掩码方向反了：看到的是后面的 key",
    "causal-leaks-next": "因果对角线偏了：能看到自己之后的 key",
    "causal-hides-self": "因果对角线偏了一位：看不到自己的位置",
    "causal-top-left": "因果掩码对齐左上角；Sq ≠ Sk 时应对齐右下角",
    "mutates-inputs": "原地修改了传入的参数",
    "dropout-in-eval": "eval 模式下 dropout 仍在起作用",
    "gradient-detached": "梯度传不到输入",
}


def describe(code: str) -> Text:
    """What the bug ``code`` is."""
    english = message(code).removeprefix(_PREFIX)
    return Text(english, _CHINESE.get(code, english))
