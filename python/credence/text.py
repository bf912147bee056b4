# SPDX-License-Identifier: Apache-2.0
"""Documents as counts of tokens: the library's tokeniser as a scikit-learn transformer."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError

from credence import _core


class Tokenizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turns documents into a sparse matrix of counts, as scikit-learn's CountVectorizer does.

    Words are cut as the text columns of BayesClassifier are; `Tokenizer(tokens="plain")` cuts as CountVectorizer.

    Parameters
    ----------
    tokens : "words", "parts" or "plain"
        Words may have one of @ . - ' within them; or one of @ and . alone; or letters, digits and _ only, two at least.
    fold : bool
        Full Unicode case folding.
    ngrams : (low, high), a number, or "1-2"
        So many words together.
    chars : the same, or None
        In place of words, so many characters of a word with a space at both ends.
    stop : "english", or a list of words, or None
    stem : the name of a Snowball language such as "english", or None
    shortest : int
        Shorter words, in characters, are left out.
    hash : int or None
        Tokens become one of 2**hash numbers.
    min, max : number of documents, or their share when it is a float
        Tokens in fewer or more of them are left out (min_df and max_df).
    most : int or None
        So many tokens, the most frequent ones, are kept (max_features).
    binary : bool
        Whether a token occurs, in place of how often.
    vocabulary : list of tokens or dictionary of their columns, or None
    dtype : of the counts
    threads : int
        0: one per core. The result does not depend on it.

    Attributes
    ----------
    vocabulary_ : dictionary from tokens to columns, which are in the order of the tokens' characters

    >>> from credence.text import Tokenizer
    >>> tokenizer = Tokenizer(stop="english")
    >>> tokenizer.fit_transform(["the cat sat", "a cat and a cat"]).toarray().tolist()
    [[1, 1], [2, 0]]
    >>> tokenizer.get_feature_names_out().tolist()
    ['cat', 'sat']
    """

    vocabulary_: dict[str, int]

    def __init__(self, *, tokens: str = "words", fold: bool = True, ngrams: Any = (1, 1), chars: Any = None,
                 stop: Any = None, stem: str | None = None, shortest: int = 1, hash: int | None = None,
                 min: Any = 1, max: Any = 1.0, most: int | None = None, binary: bool = False,
                 vocabulary: Any = None, dtype: Any = np.int64, threads: int = 0) -> None:
        self.tokens = tokens
        self.fold = fold
        self.ngrams = ngrams
        self.chars = chars
        self.stop = stop
        self.stem = stem
        self.shortest = shortest
        self.hash = hash
        self.min = min
        self.max = max
        self.most = most
        self.binary = binary
        self.vocabulary = vocabulary
        self.dtype = dtype
        self.threads = threads

    def fit(self, raw_documents: Any, y: Any = None) -> Tokenizer:
        """Finds the tokens there are."""
        self.fit_transform(raw_documents, y)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """The same, and counts them."""
        documents = _listed(raw_documents)
        if self.vocabulary is not None:
            self._adopt(_given(self.vocabulary))
            return self._matrix(self._counter.count(documents, self.threads))
        counter = _core.Vocabulary(self._options(), [])
        counts = self._matrix(counter.learn(documents, self.threads))
        names = counter.names
        if not names:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        kept = self._kept(counts)
        if not kept.all():
            counts = counts[:, kept]
            names = [name for name, keep in zip(names, kept) if keep]
        self._adopt(names)
        return counts

    def transform(self, raw_documents: Any) -> Any:
        """Counts the tokens that fit found; others are left out."""
        documents = _listed(raw_documents)
        if "vocabulary_" not in self.__dict__ and self.vocabulary is not None:
            self._adopt(_given(self.vocabulary))
        return self._matrix(self._counter.count(documents, self.threads))

    def inverse_transform(self, X: Any) -> list[NDArray[Any]]:
        """For each row the tokens that occur in it."""
        names = self.get_feature_names_out()
        rows = sparse.csr_array(X)
        return [names[rows.indices[start:end]] for start, end in zip(rows.indptr, rows.indptr[1:])]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The tokens, in the order of the columns."""
        return np.array(self._counter.names, dtype=object)

    @property
    def _counter(self) -> _core.Vocabulary:
        """Made anew after a pickle was read."""
        if "vocabulary_" not in self.__dict__:
            raise NotFittedError("This Tokenizer instance is not fitted yet. Call 'fit' with documents first.")
        found: _core.Vocabulary | None = self.__dict__.get("_made")
        if found is None:
            found = _core.Vocabulary(self._options(), sorted(self.vocabulary_, key=self.vocabulary_.__getitem__))
            self._made = found
        return found

    def _adopt(self, names: list[str]) -> None:
        self.vocabulary_ = {name: place for place, name in enumerate(names)}
        self.__dict__.pop("_made", None)

    def _options(self) -> list[tuple[str, str]]:
        """As a line of a plan would say them."""
        options = [("tokens", str(self.tokens)), ("fold", "yes" if self.fold else "no"),
                   ("ngrams", _range(self.ngrams)), ("shortest", str(self.shortest))]
        if self.chars is not None:
            options.append(("chars", _range(self.chars)))
        if isinstance(self.stop, str):
            options.append(("stop", self.stop))
        elif self.stop is not None:
            options.append(("stop-list", " ".join(self.stop)))
        if self.stem is not None:
            options.append(("stem", self.stem))
        if self.hash is not None:
            options.append(("hash", str(self.hash)))
        return options

    def _matrix(self, counts: tuple[Any, Any, Any]) -> Any:
        starts, columns, values = counts
        if self.binary:
            values = np.ones_like(values)
        shape = (len(starts) - 1, int(columns.max()) + 1 if columns.size else 0)
        if "vocabulary_" in self.__dict__:
            shape = (shape[0], len(self.vocabulary_))
        return sparse.csr_matrix((values.astype(self.dtype, copy=False), columns, starts), shape=shape)

    def _kept(self, counts: Any) -> NDArray[np.bool_]:
        rows, width = counts.shape
        documents = np.bincount(counts.indices, minlength=width)
        kept = (documents >= _documents("min", self.min, rows)) & (documents <= _documents("max", self.max, rows))
        if self.most is not None:
            often = np.asarray(counts.sum(axis=0)).ravel()
            order = np.lexsort((np.arange(width), -often))
            kept[[place for place in order if kept[place]][self.most:]] = False
        if not kept.any():
            raise ValueError("no token is left: try a lower min or a higher max")
        return np.asarray(kept)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_made", None)
        return state

    def __sklearn_is_fitted__(self) -> bool:
        return "vocabulary_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _listed(documents: Any) -> list[Any]:
    if isinstance(documents, str) or not isinstance(documents, Iterable):
        raise ValueError("documents: a list of texts is wanted, not a single " + type(documents).__name__)
    return list(documents)


def _given(vocabulary: Any) -> list[str]:
    """A vocabulary as the names of its columns."""
    if not isinstance(vocabulary, Mapping):
        names = list(vocabulary)
        twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
        if twice is not None:
            raise ValueError(f'vocabulary: the token "{twice}" stands twice')
        return names
    names = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[name] for name in names] != list(range(len(names))):
        raise ValueError(f"vocabulary: its columns are not the numbers from 0 to {len(names) - 1}")
    return names


def _range(wanted: Any) -> str:
    if isinstance(wanted, (str, int, np.integer)):
        return str(wanted)
    low, high = wanted
    return f"{low}-{high}"


def _documents(name: str, wanted: Any, rows: int) -> float:
    if isinstance(wanted, (int, np.integer)) and wanted >= 1:
        return float(wanted)
    if isinstance(wanted, float) and 0 <= wanted <= 1:
        return wanted * rows
    raise ValueError(f"{name}: a number of documents from 1 on, or a share of them such as 0.5, not {wanted!r}")
