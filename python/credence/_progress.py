# SPDX-License-Identifier: Apache-2.0
"""How far a long fit is: one line that is written over again, in terminals and notebooks."""
from __future__ import annotations

import sys
import time


class Bar:
    """Called with what was read and what there is. Of tables both are rows, of files bytes."""

    WIDTH = 24
    PAUSE = 0.1  # seconds between two lines

    def __init__(self, rows: int | None = None) -> None:
        self._rows = rows  # None: files, or a stream of unknown length
        self._last = -float("inf")
        self._shown = 0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last < self.PAUSE:
            return
        self._last = now
        if total:
            self._show(self._bar(done / total, f"{done / 1e6:.0f} of {total / 1e6:.0f} MB"))
        elif self._rows:
            self._show(self._bar(done / self._rows, f"{done:,} of {self._rows:,} rows"))
        else:
            self._show(f"{done:,} rows")

    def _bar(self, share: float, text: str) -> str:
        full = round(min(share, 1.0) * self.WIDTH)
        return f"[{'#' * full}{'.' * (self.WIDTH - full)}] {min(share, 1.0):4.0%}  {text}"

    def _show(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(line)

    def close(self) -> None:
        """Leaves an empty line behind."""
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0
