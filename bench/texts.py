"""Contenders that make counts of texts in memory."""

import numpy as np

from contender import Contender


class Counter(Contender):
    def make(self):
        raise NotImplementedError

    def prepare(self, folder):
        self.texts = (folder / "texts").read_text().split("\n")
        self.counter = self.make()

    def fit(self):
        self.counts = self.counter.fit_transform(self.texts)

    def predict(self):
        self.counts = self.counter.transform(self.texts)

    def answer(self, step):
        """How often each feature is there, in the order of the features, and the length of each text."""
        return np.concatenate([np.asarray(self.counts.sum(axis=axis)).ravel() for axis in (0, 1)]).astype(int)
