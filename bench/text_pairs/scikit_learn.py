"""Words and pairs of words, logarithms of counts, and ComplementNB: the same work, with weights of its own."""

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline

from messages import Pipeline


class Contender(Pipeline):
    agreement = 0.8
    note = "the same work on the same words and pairs, but documents of unit length; labels agree nearly, accuracy beside"

    def make(self):
        return make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, use_idf=False), ComplementNB(alpha=0.1))
