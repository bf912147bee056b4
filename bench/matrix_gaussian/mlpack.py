"""mlpack's naive Bayes classifier, which is gaussian."""

import mlpack

from contender import Contender as Base
from contender import matrix


class Contender(Base):
    name = "mlpack"
    needs = ("mlpack",)
    share = 0.1
    note = "a tenth of the rows"

    def prepare(self, folder):
        self.X, self.y = matrix(folder)

    def fit(self):
        self.model = mlpack.nbc(training=self.X, labels=self.y)["output_model"]

    def predict(self):
        self.labels = mlpack.nbc(input_model=self.model, test=self.X)["predictions"]

    def answer(self, step):
        return self.labels.ravel() if step == "predict" else None
