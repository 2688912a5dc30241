"""``python -m interview_coach`` is ``coach``."""

from __future__ import annotations

import sys

from interview_coach.cli.main import main

sys.exit(main())
