"""The package, by the model that CountVectorizer and MultinomialNB have."""

from messages import Package


class Contender(Package):
    settings = {"blocks": {"text": "text(multinomial, tokens=plain)"}, "rule": "laplace=1"}
