"""What True means in a mask, as people write it down."""

from __future__ import annotations

import pytest

from interview_coach.grading.polarity import stated_polarity

KEEP = (
    "mask: bool tensor, True = may attend",
    "mask (B, Sk): 1 for tokens to keep, 0 for padding",
    "True values take part in attention",
    "key_mask: True where the token is not padding",
    "zeros in the mask are ignored",
    "positions where mask == 0 are hidden",
    "mask: nonzero = attend",
    "Entries that are False get -inf",
    "scores where the mask is False are set to -inf",
    "Where mask is False, the score becomes -inf.",
    "mask == 0 -> -inf",
    "a True entry lets the query see the key",
    "mask[b, i, j] is True if query i can attend to key j",
    "only keys whose mask is True contribute",
    "which positions are allowed (True) or not (False)",
    "tokens to attend to are marked with ones",
    "`mask[i, j] == True` lets i see j",
    "attn_mask: A boolean mask where a value of True indicates that the element *should* take part in attention.",
    "mask: 1 keep / 0 drop",
    "mask values:\n    - 1 for tokens that are **not masked**,\n    - 0 for tokens that are **masked**.",
    "mask: bool (B, 1, 1, Sk), True for keys that\n    may be attended to",
    "Here True means keep, unlike nn.MultiheadAttention where True means ignore.",
    "a key is used when its entry is True",
    "valid_mask: True on valid keys",
    "mask: True 表示可以关注",
    "mask 为 False 的地方填 -inf",
    "真实 token 为 True",
    "只有 mask 为真的 key 才参与计算",
    "非 padding 位置为 True",
    "mask：True 不代表屏蔽，而代表保留。",
    "mask=0 的位置不参与 softmax",
    "掩码：1 可见 0 不可见",
)
DROP = (
    "mask: bool tensor, True = masked out",
    "True marks positions that must not be attended to",
    "where mask is True the score becomes -inf",
    "Scores are set to -inf where the mask is True",
    "mask[i, j] is True if query i must not see key j",
    "a True entry blocks attention",
    "ones in the mask are dropped",
    "key_padding_mask: True for pad tokens (as in nn.MultiheadAttention)",
    "attn_mask: True positions are not allowed to attend while False values will be unchanged.",
    "nonzero entries of the mask are hidden",
    "False means visible",
    "real tokens are False",
    "positions to hide are 1",
    "positions where the mask is 1 get -inf",
    "mask: True -> -inf",
    "a True value indicates that the corresponding key will be ignored",
    "the mask is True where there is nothing to see",
    "mask: True where the key must be skipped",
    "if mask[b, j] is True, key j is left out",
    "True positions never receive any weight",
    "mask: where True, the logit is replaced with a large negative number",
    "positions marked True are disregarded",
    "mask: bool (B, 1, 1, Sk), True for keys that\n    must not be attended to",
    "pad_mask (B, S): True at <pad>",
    "True means ignore, the opposite of F.scaled_dot_product_attention, where True means keep.",
    "True 的位置填 -inf",
    "mask 为 True 处置为负无穷",
    "1 表示需要遮住的位置",
    "填充位置为 1",
    "mask=True 的 key 不参与注意力",
    "要忽略的位置标为 True",
    "True：看不到；False：能看",
)
NEITHER = (
    "mask: broadcastable to (B, H, Sq, Sk)",
    "causal: if True, future keys are hidden",
    "is_causal=True masks out future positions",
    "rows with nothing to attend to give 0",
    "mask: float, 0 where visible, -inf where hidden",
    "weights of masked keys are 0",
    "Keeps one mask and slices it.",
    "mask out position 0",
    "token i sees the first s + i + 1 keys",
    "Returns a tuple (out, None) if need_weights is False",
    "被遮住的位置权重为 0",
    "causal=True 时屏蔽未来",
    "window 为 1 时只能看到自身",
)


@pytest.mark.parametrize(("meaning", "texts"), [("keep", KEEP), ("drop", DROP), (None, NEITHER)])
def test_what_true_means(meaning: str | None, texts: tuple[str, ...]) -> None:
    assert [text for text in texts if stated_polarity(text) != meaning] == []


def test_two_meanings_are_none() -> None:
    assert stated_polarity("mask: True = keep\nlater: True = masked") is None
