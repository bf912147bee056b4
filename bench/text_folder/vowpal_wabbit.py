"""Vowpal Wabbit, one against all: another model, linear in hashed words."""

import re

import numpy as np

from messages import Pipeline


class Contender(Pipeline):
    name = "Vowpal Wabbit"
    needs = ("vowpalwabbit", "scikit-learn")
    agreement = 0.1
    note = "another model: linear in hashed words, one against all, three passes"

    def example(self, text, label=""):
        return f"{label} | " + " ".join(re.findall(r"\w\w+", text.lower()))

    def fit(self):
        from vowpalwabbit import Workspace

        documents = self.read("train")
        self.names = documents.target_names
        self.model = Workspace(f"--oaa {len(self.names)} --loss_function logistic -b 20 --quiet")
        order = np.random.default_rng(1).permutation(len(documents.data))  # it learns badly from one class after another
        examples = [self.example(documents.data[i], documents.target[i] + 1) for i in order]
        for _ in range(3):
            for example in examples:
                self.model.learn(example)

    def predict(self):
        found = [self.model.predict(self.example(text)) for text in self.read("test").data]
        self.labels = np.array([self.names[label - 1] for label in found])
