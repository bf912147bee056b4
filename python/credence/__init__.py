# SPDX-License-Identifier: Apache-2.0
"""Generative classification: learn what each class looks like, decide by Bayes' rule."""
from credence._core import __version__

__all__ = ["__version__"]
