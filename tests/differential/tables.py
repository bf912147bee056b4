# SPDX-License-Identifier: Apache-2.0
"""Tables of every family, some of whose values are missing."""

WORDS = ["red", "green", "blue", "pink", "Straße", "don't", "x"]


class Table:
    def __init__(self, name, treatment, columns, drops=True):
        self.name, self.treatment, self.columns = name, treatment, columns
        self.drops = drops  # whether a dropped class leaves nothing behind

    def row(self, draw, complete=False):
        return {name: None if not complete and draw.random() < 0.1 else cell(draw)
                for name, cell in self.columns.items()}


def number(draw):
    return draw.choice([draw.gauss(3, 2), draw.gauss(-20, 0.1), float(draw.randrange(5))])


def count(draw):
    return draw.choice([0, 1, 1, 2, 5, 40])


def flag(draw):
    return draw.randrange(2)


def word(draw):
    return draw.choice(WORDS)


def bag(draw):
    return {name: draw.randrange(1, 4) for name in draw.sample(WORDS, draw.randrange(0, 4))}


def tags(draw):
    return draw.sample(WORDS, draw.randrange(0, 4))


def text(draw):
    return " ".join(draw.choices(WORDS, k=draw.randrange(0, 9)))


TABLES = [
    Table("mixed", ["x: gaussian", "n: poisson", "f: bernoulli", "c: categorical", "s: multinomial", "t: bernoulli",
                    "d: text(multinomial)"],
          {"x": number, "n": count, "f": flag, "c": word, "s": bag, "t": tags, "d": text}),
    Table("blocks", ["x, z: gaussian(full)", "u, v: gaussian(shrunk)", "c: categorical"],
          {"x": number, "z": number, "u": number, "v": number, "c": word}),
    Table("text", ["d: text(bernoulli, ngrams=1-2)", "e: text(multinomial, chars=2-3)"], {"d": text, "e": text}),
    Table("free forms", ["x: histogram", "z: kernel", "n: negative_binomial"], {"x": number, "z": number, "n": count}),
    Table("tied", ["x, z: gaussian(tied)", "u, v: gaussian(diagonal)", "n, m: multinomial", "s: poisson"],
          {"x": number, "z": number, "u": number, "v": number, "n": count, "m": count, "s": bag}),
    # The variance that a floor is a part of is kept for all classes together (docs/families/gaussian.md).
    Table("floor", ["x, z: gaussian(diagonal, floor=1e-9)"], {"x": number, "z": number}, drops=False),
    Table("mixture", ["x, z: mixture(bic=2, starts=1)", "d: text(complement)"], {"x": number, "z": number, "d": text}),
]
