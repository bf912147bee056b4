"""CountVectorizer and MultinomialNB."""

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from messages import Pipeline


class Contender(Pipeline):
    def make(self):
        return make_pipeline(CountVectorizer(), MultinomialNB(alpha=1))
