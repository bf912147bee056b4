# SPDX-License-Identifier: Apache-2.0
"""Files that need not fit into memory."""
from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from credence import _core

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Files:
    """One table in one or more files, read anew by each method that is given it."""

    paths: tuple[str, ...]
    format: str = ""
    delimiter: str = ""
    header: bool = True
    missing: tuple[str, ...] | None = None
    feature_names: str = ""

    def open(self, missing: Sequence[str]) -> _core.Source:
        words = missing if self.missing is None else self.missing
        # Parquet and the like are read by a Python that has pyarrow: as a rule this one.
        os.environ.setdefault("CREDENCE_PYTHON", sys.executable)
        try:
            return _core.open_files(list(self.paths), self.format, self.delimiter, self.header,
                                    list(words), self.feature_names)
        except ValueError as error:
            if all(path == "-" or os.path.exists(path) for path in self.paths):
                raise
            raise FileNotFoundError(str(error)) from None

    @property
    def columns(self) -> list[str]:
        """The names of the columns, the class included."""
        return self.open(_core.missing_words()).columns


def read(paths: Path | Sequence[Path], *, format: str = "", delimiter: str = "",
         header: bool = True, missing: Sequence[str] | None = None,
         feature_names: Path = "") -> Files:
    """A table in files, for `fit`, `predict` and the other methods, which never load all of it.

    CSV, TSV, JSON lines, libsvm, ARFF, Parquet, Feather, lines of label and text, mailboxes, or a
    folder of documents; plain or packed by gzip, bzip2, xz, zstd or zip. The format is told by name
    and content, or by `format`: "csv", "tsv", "jsonl", "libsvm", "arff", "labelled" or "mail".
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    return Files(tuple(os.fspath(path) for path in several), format, delimiter, header,
                 None if missing is None else tuple(missing), os.fspath(feature_names))
