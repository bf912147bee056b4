"""scikit-bayes' AnDE of order one, of codes in memory."""

from skbn import AnDE

from contender import Estimator


class Contender(Estimator):
    name = "scikit-bayes"
    needs = ("scikit-bayes",)
    share = 0.1
    agreement = 0.98
    note = "a tenth of the rows, in memory, where credence reads and writes files; smooths otherwise"

    def make(self):
        return AnDE(n_dependence=1, categorical_features=list(range(20)))
