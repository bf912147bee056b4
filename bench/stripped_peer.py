"""scikit-learn's naive Bayes on texts, over a grid of settings: what stripped.py compares with.

Every way to cut and weigh texts is combined with every model. A setting is a string, so that a choice made on one part
of the data can be named and made again on another.
"""

import math
import sys

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

ALPHAS = (0.001, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1)


def cuttings():
    """Names and vectorisers: words and pairs of words, and what they leave out; characters within words."""
    for ngrams in ((1, 1), (1, 2)):
        for stop in (None, "english"):
            for least in (1, 2, 3):
                yield (f"words {ngrams[0]}-{ngrams[1]}, stop_words={stop}, min_df={least}",
                       CountVectorizer(ngram_range=ngrams, stop_words=stop, min_df=least))
    for ngrams in ((3, 5), (4, 5)):
        yield (f"char_wb {ngrams[0]}-{ngrams[1]}, min_df=2",
               CountVectorizer(analyzer="char_wb", ngram_range=ngrams, min_df=2))


def weightings(counts, later):
    """The same documents under other weights: names and both matrices. TfidfVectorizer is the counts so transformed."""
    yield "counts", counts, later
    yield "binary", (counts > 0).astype(float), (later > 0).astype(float)
    for idf in (True, False):
        for sublinear in (True, False):
            transform = TfidfTransformer(use_idf=idf, sublinear_tf=sublinear).fit(counts)
            yield (f"tfidf, use_idf={idf}, sublinear_tf={sublinear}", transform.transform(counts),
                   transform.transform(later))


def models(weighting):
    for alpha in ALPHAS:
        yield f"MultinomialNB, alpha={alpha}", MultinomialNB(alpha=alpha)
        for norm in (False, True):
            yield f"ComplementNB, alpha={alpha}, norm={norm}", ComplementNB(alpha=alpha, norm=norm)
        if weighting == "binary":
            yield f"BernoulliNB, alpha={alpha}", BernoulliNB(alpha=alpha)


def accuracies(texts, labels, later_texts, later_labels):
    """The accuracy of every setting: learn from the first two, judge by the others."""
    labels, later_labels = np.asarray(labels), np.asarray(later_labels)
    result = {}
    for cutting, vectoriser in cuttings():
        counts = vectoriser.fit_transform(texts)
        later = vectoriser.transform(later_texts)
        print(f"  scikit-learn, {cutting}: {counts.shape[1]} features", file=sys.stderr, flush=True)
        for weighting, known, unknown in weightings(counts, later):
            for name, model in models(weighting):
                model.fit(known, labels)
                setting = f"{cutting}; {weighting}; {name}"
                result[setting] = (model.predict(unknown) == later_labels).mean()
                if isinstance(model, ComplementNB):
                    continue  # which has no prior
                # As fit_prior=False would have set it.
                model.class_log_prior_ = np.full(len(model.classes_), -math.log(len(model.classes_)))
                result[setting + ", fit_prior=False"] = (model.predict(unknown) == later_labels).mean()
    return result
