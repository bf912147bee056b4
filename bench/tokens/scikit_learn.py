"""scikit-learn's CountVectorizer."""

from sklearn.feature_extraction.text import CountVectorizer

from texts import Counter


class Contender(Counter):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return CountVectorizer(ngram_range=(1, 2))
