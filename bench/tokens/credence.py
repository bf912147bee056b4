"""The package's Tokenizer."""

from credence.text import Tokenizer

from texts import Counter


class Contender(Counter):
    name = "credence"
    needs = ("credence",)

    def make(self):
        return Tokenizer(tokens="plain", ngrams=(1, 2))
