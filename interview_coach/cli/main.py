"""The ``coach`` command, as the system starts it: what takes longest begins before anything else is imported."""

from __future__ import annotations

import gc
import os
import sys

from interview_coach.cli.ahead import head_start


def main() -> int:
    """The entry point. Exit codes: 0 fine, 1 a failed grade, 2 an error of use, 130 interrupted."""
    # numpy works on small arrays here: threads bring nothing, and starting them costs as much as numpy itself.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    arguments = sys.argv[1:]
    with head_start(arguments):
        from interview_coach.cli.commands import execute

        code = execute(arguments)
    # The end of a process frees everything; looking for garbage first takes 30 ms.
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
