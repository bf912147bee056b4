"""scikit-learn's MultinomialNB."""

from sklearn.naive_bayes import MultinomialNB

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return MultinomialNB()
