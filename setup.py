"""What pyproject.toml cannot say: the bank and the solutions travel inside the wheel.

They live beside the package in a checkout, where they are written and read, and in ``interview_coach/_data`` once
installed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

DATA = ("questions", "solutions")


class BuildWithData(build_py):
    """``build_py`` that copies the data folders into the package."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for name in DATA:
            target = Path(self.build_lib, "interview_coach", "_data", name)
            shutil.rmtree(target, ignore_errors=True)
            if Path(name).is_dir():
                shutil.copytree(name, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".*"))


setup(cmdclass={"build_py": BuildWithData})
