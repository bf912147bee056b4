"""scikit-learn's BernoulliNB."""

from sklearn.naive_bayes import BernoulliNB

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return BernoulliNB()
