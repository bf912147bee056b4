"""The program, by the model that CountVectorizer and MultinomialNB have."""

from messages import Folders


class Contender(Folders):
    options = ("--as", "text: text(multinomial, tokens=plain)", "--estimate", "laplace=1")
