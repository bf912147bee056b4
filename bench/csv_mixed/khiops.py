"""Khiops, by its estimator for scikit-learn: another model, of bins and groups that it finds by the classes."""

import os
import sys
from pathlib import Path

from contender import said
from readers import Pandas


class Contender(Pandas):
    name = "Khiops"
    needs = ("khiops", "khiops-core")
    share = 0.02
    agreement = 0.5
    note = "a fiftieth of the rows; another model: bins and groups that it finds by the classes, and ten trees"

    def frame(self):
        import pandas as pd

        frame = pd.read_csv(self.table)
        return frame.drop(columns="class"), frame["class"]

    def fit(self):
        programs = str(Path(sys.executable).parent)  # Khiops looks for its own there
        os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
        from khiops.sklearn import KhiopsClassifier

        self.model = KhiopsClassifier().fit(*self.frame())

    def predict(self):
        self.write({"prediction": self.model.predict(self.frame()[0])}, self.output)

    def predict_proba(self):
        X, _ = self.frame()
        self.write({"prediction": self.model.predict(X), **dict(zip(self.model.classes_, self.model.predict_proba(X).T))}, self.output)

    def answer(self, step):
        return said(self.output, "predict", self.classes) if step == "predict" else None
