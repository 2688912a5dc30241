"""A second opinion on an answer from a language model: off by default, never needed, only ever a suggestion.

>>> config = load_judge_config()                                        # doctest: +SKIP
>>> reply = await ask_judge(config, question, answer, "en")             # doctest: +SKIP
>>> reply.suggestions(marking)                                          # doctest: +SKIP
"""

from __future__ import annotations

from interview_coach.bank.model import Question
from interview_coach.judge.client import complete
from interview_coach.judge.config import JudgeConfig, load_judge_config
from interview_coach.judge.prompt import build_prompt
from interview_coach.judge.verdicts import REASONS, Dropped, Judged, Reply, read_reply
from interview_coach.text import Language

__all__ = ["REASONS", "Dropped", "JudgeConfig", "Judged", "Reply", "ask_judge", "load_judge_config"]


async def ask_judge(config: JudgeConfig, question: Question, answer: str, language: Language) -> Reply:
    """Sends an answer to the judge and keeps of its verdicts what the answer proves.

    Args:
        config: whom to ask.
        question: what was asked.
        answer: what was said; its first 4,000 characters are sent.
        language: in which the key points are told.

    Raises:
        CoachError: no reply, or none that can be used.
    """
    prompt = build_prompt(question, answer, language)
    return read_reply(await complete(config, prompt.messages), question, answer, prompt.code)
