"""Cross-entropy with label smoothing (Szegedy et al. 2015, section 7)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: label-smoothing
import torch


def label_smoothing_cross_entropy(logits: torch.Tensor, target: torch.Tensor, eps: float = 0.1) -> torch.Tensor:
    """Mean cross-entropy with the targets (1 - eps) * one_hot + eps / C.

    logits: (N, C), of any size; target: (N,) class indices. eps is spread over all C classes, the target included.
    Returns a scalar. F.cross_entropy(..., label_smoothing=eps) is not accepted.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="label-smoothing",
    title=Text("Cross-entropy with label smoothing", "带标签平滑的交叉熵"),
    stub=STUB,
    hints=(
        Text(
            "Write the smoothed target of one example down: what does "
            "the true class get, what every other? Do they add up to 1?",
            "写出一个样本平滑后的目标分布：真实类得到多少，其他类各多少？加起来是 1 吗？",
        ),
        Text(
            "The loss is linear in the target: (1 - eps) times the usual "
            "loss plus eps times the mean of -log p over all classes. "
            "Take log p from a stable log-softmax, never log(softmax).",
            "损失对目标是线性的：(1 - eps) 乘普通损失，加 eps 乘所有类 -log "
            "p 的平均。log p 要用稳定的 log-softmax，不要 log(softmax)。",
        ),
        Text(
            "log_p = logits - logits.logsumexp(-1, keepdim=True); nll = -log_p.gather(-1, target[:, None])[:, 0]; "
            "return ((1 - eps) * nll - eps * log_p.mean(-1)).mean().",
            "log_p = logits - logits.logsumexp(-1, keepdim=True)；nll = -log_p.gather(-1, target[:, None])[:, 0]；"
            "返回 ((1 - eps) * nll - eps * log_p.mean(-1)).mean()。",
        ),
    ),
    questions=("why-subtract-max", "softmax-backward", "common-wrong-answers"),
    family="function",
    names=r".*(labelsmooth|smooth(ed)?(label|ce|crossentropy|loss|nll|target)|(ce|crossentropy|loss)smooth|smoothing(loss|ce|cross)|lsce|lsr).*",
    first_hint={
        "smoothing-excludes-target": 1,
        "smoothing-wrong-reduction": 3,
        "softmax-missing": 2,
        "no-max-subtraction": 2,
        "stability": 2,
        "softmax-wrong-axis": 3,
    },
    order=29,
)
