"""Peers of CSV files: a reader into its fastest types, then scikit-learn's GaussianNB of the numbers and CategoricalNB of the words.

columns.json beside the table names its columns, values and classes, which every reader is told, because it is faster then.
"""

import json

import numpy as np

from contender import Contender, said


class Reader(Contender):
    """What all readers do; each has read and write of its own."""

    needs = ("scikit-learn",)

    def read(self, path):
        """Numbers as a matrix, codes of words as a matrix (or nothing), and codes of the classes."""
        raise NotImplementedError

    def write(self, columns, path):
        raise NotImplementedError

    def prepare(self, folder):
        self.folder, self.table, self.output = folder, folder / "table.csv", folder / f"{type(self).__module__}.csv"
        schema = json.loads((folder / "columns.json").read_text())
        self.numbers, self.words = schema["numbers"], schema["words"]
        self.values, self.classes = sorted(schema["values"]), sorted(schema["classes"])

    def fit(self):
        from sklearn.naive_bayes import CategoricalNB, GaussianNB

        numbers, codes, labels = self.read(self.table)
        self.of_numbers = GaussianNB(var_smoothing=0).fit(numbers, labels)
        if self.words:
            self.of_words = CategoricalNB(alpha=0, force_alpha=True, min_categories=len(self.values)).fit(codes, labels)

    def joint(self):
        numbers, codes, _ = self.read(self.table)
        joint = self.of_numbers.predict_joint_log_proba(numbers)
        if self.words:
            joint += self.of_words.predict_joint_log_proba(codes) - self.of_words.class_log_prior_
        return joint

    def predict(self):
        self.write({"prediction": np.array(self.classes)[self.joint().argmax(axis=1)]}, self.output)

    def predict_proba(self):
        joint = self.joint()
        odds = np.exp(joint - joint.max(axis=1, keepdims=True))
        columns = dict(zip(self.classes, (odds / odds.sum(axis=1, keepdims=True)).T))
        self.write({"prediction": np.array(self.classes)[joint.argmax(axis=1)], **columns}, self.output)

    def answer(self, step):
        return said(self.output, step, self.classes)


class Pandas(Reader):
    name = "pandas + scikit-learn"
    needs = ("pandas", "scikit-learn")

    def read(self, path):
        import pandas as pd

        frame = pd.read_csv(path, dtype={name: "category" for name in [*self.words, "class"]})
        codes = [frame[name].cat.set_categories(self.values).cat.codes for name in self.words]
        return frame[self.numbers].to_numpy(), np.column_stack(codes) if codes else None, frame["class"].cat.codes.to_numpy()

    def write(self, columns, path):
        import pandas as pd

        pd.DataFrame(columns).to_csv(path, index=False)


class Polars(Reader):
    name = "polars + scikit-learn"
    needs = ("polars", "scikit-learn")

    def read(self, path):
        import polars as pl

        words, classes = pl.Enum(self.values), pl.Enum(self.classes)
        frame = pl.read_csv(path, schema_overrides={**{name: words for name in self.words}, "class": classes})
        codes = frame.select(pl.col(self.words).to_physical()).to_numpy() if self.words else None
        return frame.select(self.numbers).to_numpy(), codes, frame["class"].to_physical().to_numpy()

    def write(self, columns, path):
        import polars as pl

        pl.DataFrame(columns).write_csv(path)


class Pyarrow(Reader):
    name = "pyarrow + scikit-learn"
    needs = ("pyarrow", "scikit-learn")

    def codes(self, column, values):
        """Of a column that is a dictionary for every chunk, the codes of one dictionary for all."""
        column = column.unify_dictionaries() if hasattr(column, "unify_dictionaries") else column.combine_chunks()
        chunks = column.chunks if hasattr(column, "chunks") else [column]
        places = {value: i for i, value in enumerate(values)}
        return np.concatenate([np.array([places[value] for value in chunk.dictionary.to_pylist()], np.int8)[chunk.indices.to_numpy()]
                               for chunk in chunks])

    def read(self, path):
        import pyarrow as pa
        from pyarrow import csv

        kind = pa.dictionary(pa.int32(), pa.string())
        table = csv.read_csv(path, convert_options=csv.ConvertOptions(column_types={name: kind for name in [*self.words, "class"]}))
        numbers = np.column_stack([table[name].to_numpy() for name in self.numbers])
        codes = [self.codes(table[name], self.values) for name in self.words]
        return numbers, np.column_stack(codes) if codes else None, self.codes(table["class"], self.classes)

    def write(self, columns, path):
        import pyarrow as pa
        from pyarrow import csv

        csv.write_csv(pa.table(columns), path)


class Duckdb(Reader):
    name = "DuckDB + scikit-learn"
    needs = ("duckdb", "scikit-learn")

    def read(self, path):
        import duckdb

        words, classes = ("ENUM(" + ", ".join(f"'{value}'" for value in values) + ")" for values in (self.values or ["none"], self.classes))
        types = {**{name: words for name in self.words}, "class": classes}
        coded = ", ".join(f'enum_code("{name}")::TINYINT AS "{name}"' for name in [*self.words, "class"])
        numbers = ", ".join(f'"{name}"' for name in self.numbers)
        with duckdb.connect() as database:
            found = database.sql(f"SELECT {numbers}, {coded} FROM read_csv('{path}', types={types})").fetchnumpy()
        codes = [found[name] for name in self.words]
        return np.column_stack([found[name] for name in self.numbers]), np.column_stack(codes) if codes else None, found["class"]

    def write(self, columns, path):
        import duckdb
        import pandas as pd

        frame = pd.DataFrame(columns)  # noqa: F841 (DuckDB finds it by its name)
        with duckdb.connect() as database:
            database.sql("FROM frame").write_csv(str(path))
