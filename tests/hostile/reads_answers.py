# ruff: noqa
from interview_coach.oracles import attention
