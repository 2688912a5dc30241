"""Grouped-query attention: several query heads share a key/value head (Ainslie et al. 2023, section 2.2)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: gqa
import torch


def gqa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Grouped-query attention; with one key/value head it is multi-query attention.

    q: (B, H, Sq, D), k: (B, Hkv, Sk, D), v: (B, Hkv, Sk, Dv); Hkv divides H, Sq may differ from Sk, Dv from D.
    Key/value head h serves the query heads h * g .. h * g + g - 1, g = H / Hkv. Scale: 1 / sqrt(D). No mask.
    Returns (B, H, Sq, Dv) in the dtype of q.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="gqa",
    title=Text("Grouped-query attention", "分组查询注意力（GQA）"),
    stub=STUB,
    hints=(
        Text(
            "There are fewer key/value heads than query heads. Which of them does query head 0 read, which the last one? "
            "Write the pairs down for H = 6, Hkv = 2.",
            "key/value 头比 query 头少。第 0 个 query 头读哪个 key/value 头？最后一个呢？先写出 H = 6、Hkv = 2 时的对应关系。",
        ),
        Text(
            "Query head h reads key/value head h // g, g = H / Hkv: neighbours share. repeat_interleave(g, dim=1) on the head "
            "axis does that; repeat gives the order h % Hkv, which is another pairing and raises no error.",
            "query 头 h 读第 h // g 个 key/value 头，g = H / Hkv：相邻的头共用一个。在 head 维上用 repeat_interleave(g, dim=1)；"
            "repeat 得到的次序是 h % Hkv，配错了也不会报错。",
        ),
        Text(
            "Without a copy: qg = q.reshape(B, Hkv, g, Sq, D); s = qg @ k[:, :, None].mT * D ** -0.5; "
            "out = s.softmax(-1) @ v[:, :, None]; return out.reshape(B, H, Sq, Dv).",
            "不复制的写法：qg = q.reshape(B, Hkv, g, Sq, D)；s = qg @ k[:, :, None].mT * D ** -0.5；"
            "out = s.softmax(-1) @ v[:, :, None]；返回 out.reshape(B, H, Sq, Dv)。",
        ),
    ),
    questions=("mha-mqa-gqa", "kv-cache-memory", "why-multi-head"),
    family="attention",
    names=r".*(gqa|groupedquer|groupquer|mqa|multiquer|groupedattention|groupedhead|groupedkv).*",
    grouped=True,
    first_hint={
        "gqa-": 2,
        "heads-": 2,
        "crashes-on-shape": 2,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
    order=6,
)
