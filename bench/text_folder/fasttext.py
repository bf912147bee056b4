"""fastText's supervised learning: another model, linear in vectors of words that it learns."""

import re

import numpy as np

from messages import Pipeline


class Contender(Pipeline):
    name = "fastText"
    needs = ("fasttext-numpy2-wheel", "scikit-learn")
    agreement = 0.1
    note = "another model: linear in vectors of words that it learns, 10 epochs, learning rate 1"

    def line(self, text):
        return " ".join(re.findall(r"\w\w+", text.lower()))

    def fit(self):
        import fasttext

        documents, path = self.read("train"), self.folder / "fasttext.txt"
        self.names = documents.target_names
        path.write_text("".join(f"__label__{target} {self.line(text)}\n" for text, target in zip(documents.data, documents.target)))
        self.model = fasttext.train_supervised(str(path), lr=1.0, epoch=10, thread=2, verbose=0)

    def predict(self):
        labels, _ = self.model.predict([self.line(text) for text in self.read("test").data])
        self.labels = np.array([self.names[int(label[0].removeprefix("__label__"))] for label in labels])
