# SPDX-License-Identifier: Apache-2.0
"""Tests of engines that `make engines` installs; what they share lies beside the other tests."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
