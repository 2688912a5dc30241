from interview_coach.oracles.attention import attention  # noqa
