# SPDX-License-Identifier: Apache-2.0
"""Tokenizer: CountVectorizer's matrix from the library's tokeniser."""
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer

from credence import BayesClassifier
from credence.text import Tokenizer

TEXTS = ["The cat sat on the mat.", "Cats don't sit on mats; e-mail them!", "Straße STRASSE straße",
         "", "a bb ccc  dddd_e 42 x2", "naïve café — déjà vu"]


def many(count=3000):
    rng = np.random.default_rng(4)
    words = np.array(["".join(chr(97 + letter) for letter in rng.integers(0, 26, 1 + length))
                      for length in rng.integers(1, 9, 2000)])
    return [" ".join(words[(rng.pareto(1, 120) * 20).astype(int) % 2000]) for _ in range(count)]


@pytest.mark.parametrize("ours, theirs", [
    ({}, {}),
    ({"ngrams": (1, 2)}, {"ngram_range": (1, 2)}),
    ({"ngrams": "2"}, {"ngram_range": (2, 2)}),
    ({"min": 2}, {"min_df": 2}),
    ({"min": 0.01, "max": 0.5}, {"min_df": 0.01, "max_df": 0.5}),
    ({"most": 50}, {"max_features": 50}),
    ({"binary": True}, {"binary": True}),
    ({"fold": False}, {"lowercase": False}),
    ({"dtype": np.float32}, {"dtype": np.float32}),
])
def test_plain_tokens_are_count_vectorizers(ours, theirs):
    texts = many()
    tokenizer, other = Tokenizer(tokens="plain", **ours), CountVectorizer(**theirs)
    found, expected = tokenizer.fit_transform(texts), other.fit_transform(texts)
    assert tokenizer.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()
    assert tokenizer.vocabulary_ == other.vocabulary_
    assert type(found) is type(expected) and found.dtype == expected.dtype
    assert found.has_sorted_indices and (found != expected).nnz == 0
    fresh = ["", *many(7)[3:], "neverseen " + texts[0]]
    assert (tokenizer.transform(fresh) != other.transform(fresh)).nnz == 0


def test_n_grams_of_characters_are_count_vectorizers():
    texts = [text.lower() for text in TEXTS if text.isascii() and not set(text) & set("';-_")]
    ours, other = Tokenizer(chars=(2, 4), tokens="words"), CountVectorizer(analyzer="char_wb", ngram_range=(2, 4))
    texts = [text.rstrip(".") for text in texts]
    found, expected = ours.fit_transform(texts), other.fit_transform(texts)
    assert ours.vocabulary_ == other.vocabulary_ and (found != expected).nnz == 0


@pytest.mark.parametrize("options, wish", [
    ({}, ""), ({"ngrams": (1, 2)}, ", ngrams=1-2"), ({"stem": "english", "stop": "english"}, ", stem=english, stop=english"),
    ({"chars": (3, 3)}, ", chars=3"), ({"stop": ["the", "on"]}, ", stop-list=the on"), ({"shortest": 3}, ", shortest=3"),
    ({"hash": 8}, ", hash=8"), ({"fold": False}, ", fold=no"), ({"tokens": "plain"}, ", tokens=plain"),
])
def test_a_text_column_sees_the_same_counts(options, wish):
    """explain() names each token of a document, and how often it stands there."""
    texts = [text for text in TEXTS if text]
    tokenizer = Tokenizer(**options)
    counts = tokenizer.fit_transform(texts)
    names = tokenizer.get_feature_names_out()
    model = BayesClassifier(blocks={"text": f"text(multinomial, counts=raw{wish})"})
    model.fit(texts, ["a", "b", "a", "b", "a"])
    for row, explanation in enumerate(model.explain(texts)):
        seen = {line.value for line in explanation.lines if line.column == "text"}
        of_row = counts[[row]]
        own = {names[place] + (f" x {count}" if count > 1 else "")
               for place, count in zip(of_row.indices, of_row.data)}
        assert seen == own


def test_the_number_of_threads_does_not_matter():
    texts = many(12000)  # several parts
    one, two = Tokenizer(threads=1), Tokenizer(threads=2)
    assert (one.fit_transform(texts) != two.fit_transform(texts)).nnz == 0
    assert (one.transform(texts[::-1]) != two.transform(texts[::-1])).nnz == 0
    rows = np.vstack([one.transform([text]).toarray() for text in texts[:50]])
    assert (rows == one.transform(texts)[:50].toarray()).all()


def test_pickles_clones_and_given_vocabularies_count_the_same():
    tokenizer = Tokenizer().fit(TEXTS)
    again = pickle.loads(pickle.dumps(tokenizer))
    assert (again.transform(TEXTS) != tokenizer.transform(TEXTS)).nnz == 0
    with pytest.raises(NotFittedError):
        clone(tokenizer).transform(TEXTS)
    given = Tokenizer(vocabulary=tokenizer.vocabulary_)
    assert (given.transform(TEXTS) != tokenizer.transform(TEXTS)).nnz == 0
    assert Tokenizer(vocabulary=["mat", "cat"]).fit_transform(TEXTS).toarray()[0].tolist() == [1, 1]


def test_tokens_come_back():
    tokenizer = Tokenizer().fit(TEXTS)
    back = tokenizer.inverse_transform(tokenizer.transform(TEXTS))
    assert set(back[0]) == {"the", "cat", "sat", "on", "mat"} and len(back[3]) == 0


@pytest.mark.parametrize("action, kind, says", [
    (lambda: Tokenizer().fit("one text"), ValueError, "a list of texts is wanted"),
    (lambda: Tokenizer().fit(["a", None]), TypeError, r"documents\[1\]: a text is wanted, not NoneType"),
    (lambda: Tokenizer().fit(["", " "]), ValueError, "empty vocabulary"),
    (lambda: Tokenizer(min=3).fit(["a b", "b c"]), ValueError, "try a lower min"),
    (lambda: Tokenizer(min=0).fit(["a b"]), ValueError, "min: a number of documents"),
    (lambda: Tokenizer(stem="klingon").fit(["a"]), ValueError, "no such language"),
    (lambda: Tokenizer(stop="engish").fit(["a"]), ValueError, "no such list of stop words"),
    (lambda: Tokenizer(ngrams=(2, 1)).fit(["a"]), ValueError, "from how many words to how many"),
    (lambda: Tokenizer(vocabulary=["a", "a"]).fit(["a"]), ValueError, '"a" stands twice'),
    (lambda: Tokenizer(vocabulary={"a": 1}).fit(["a"]), ValueError, "not the numbers from 0"),
    (lambda: Tokenizer().fit(["\ud800"]), ValueError, "surrogates"),
])
def test_what_cannot_be_counted_is_refused_in_one_line(action, kind, says):
    with pytest.raises(kind, match=says) as info:
        action()
    assert "\n" not in str(info.value)
