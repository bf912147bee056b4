# SPDX-License-Identifier: Apache-2.0
"""What the tests of SQL share: tables in a database, and queries that must give the posteriors of the library."""
from pathlib import Path

import numpy as np
import pyarrow as pa

from credence import BayesClassifier
from engine_rows import rows

ROOT = Path(__file__).resolve().parents[2]

# Families, rules and settings that a query can say; the text is ASCII.
SAID = {
    "the default": dict(blocks={"note": "ignore"}),
    "tied block": dict(blocks={"height, weight, far": "gaussian(tied)", "note": "ignore"}),
    "full block": dict(blocks={"height, weight, far": "gaussian(full)", "note": "ignore"}, rule="m-estimate=1"),
    "text": dict(blocks={"note": "text(multinomial)"}, rule="laplace=1"),
    "text of log counts": dict(blocks={"note": "text(complement, counts=log, stop=english)"}),
    "text of coins": dict(blocks={"note": "text(bernoulli, tokens=plain)"}),
    "counts": dict(blocks={"visits": "poisson", "note": "ignore"}),
    "poisson": dict(blocks={"visits": "poisson", "note": "ignore"}, rule="mle"),
    "negative binomial": dict(blocks={"visits": "negative_binomial", "note": "ignore"}, rule="m-estimate=1"),
    "histogram": dict(blocks={"height": "histogram(bins=7)", "far": "histogram", "note": "ignore"}),
    "mixture": dict(blocks={"height, weight": "mixture(2)", "note": "ignore"}),
    "one floor": dict(blocks={"height, weight, far": "gaussian(diagonal, floor=1e-9)", "note": "ignore"}),
    "draws": dict(blocks={"visits, calls": "multinomial", "note": "ignore"}),
    "joint": dict(blocks={"colour, size": "joint", "note": "ignore"}),
    "tan": dict(blocks={"colour, size, visits": "pairs(tan)", "note": "ignore"}, values={"visits": ["0", "1", "3", "9"]}),
    "aode": dict(blocks={"colour, size, visits": "pairs(aode)", "note": "ignore"}, values={"visits": ["0", "1", "3", "9"]}),
    "no calibration": dict(blocks={"note": "ignore"}, calibration="none", prior="uniform"),
    "room for the unseen": dict(blocks={"note": "ignore"}, unseen="reserve", rule="laplace=1"),
}


# What a database can count.
COUNTED = {
    "the default": {},
    "tied block": {"height, weight, far": "gaussian(tied)"},
    "full block": {"height, weight": "gaussian(full)", "far": "gaussian(diagonal, floor=1e-9)"},
    "counts": {"visits": "poisson", "calls": "negative_binomial"},
    "draws": {"visits, calls": "multinomial"},
    "pairs": {"colour, size, is it": "pairs(tan)"},
    "joint and histogram": {"colour, size": "joint", "calls": "histogram"},
}


def assert_counted(connection, table, blocks, weights="", name="data"):
    """The model that a database counted is that of the table: counts to the last bit, moments to 1e-12."""
    import credence.sql
    from engine_rows import assert_same

    ignored = ["note", "id"] if weights else ["note", "id", "w"]
    blocks = {**{name: "ignore" for name in ignored if name in table.schema.names}, **blocks}
    found = credence.sql.fit(connection, name, "kind", weights=weights, blocks=blocks)
    whole = BayesClassifier(blocks=blocks, calibration="none").fit(table, "kind", **({"sample_weight": weights} if weights else {}))
    assert_same(found.to_model(), whole.to_model(), table)
    return found


def awkward(count=3000):
    """Rows whose first ones say little of the rest: sorted numbers far from 0, classes far apart, a column that never varies,
    one that is the same within a class, one of zeros, weights that are no whole multiples, labels that come late."""
    rng = np.random.default_rng(5)
    kind = np.arange(count) * 3 // count
    return pa.table({
        "far": np.sort(1e9 + rng.normal(size=count)), "apart": 1e6 * kind + rng.normal(size=count), "same": np.full(count, 0.1),
        "by class": np.where(kind == 1, 1e9 + 0.3, rng.normal(size=count)), "zeros": np.where(rng.random(count) < 0.5, 0.0, rng.normal(size=count)),
        "gaps": pa.array(rng.normal(size=count), mask=rng.random(count) < 0.3), "w": rng.choice([0.1, 0.7, 3.0, 0.0], count),
        "kind": pa.array([f"class {k}" for k in kind], mask=rng.random(count) < 0.02)})


def table_of_rows(count=400):
    table = rows(count)
    rng = np.random.default_rng(3)
    size = pa.array(np.array(["s", "m", "it's l"])[rng.integers(0, 3, count)], mask=rng.random(count) < 0.2)
    return table.append_column("size", size).append_column("calls", pa.array(rng.poisson(2, count))).append_column(
        "is it", pa.array(rng.random(count) < 0.3)).append_column("id", pa.array(range(count)))


def strange(table):
    """The rows with values that no model has seen, and more gaps."""
    rng = np.random.default_rng(4)
    for name in ("colour", "size", "height", "weight", "visits"):
        values = table[name].to_pylist()
        gaps = rng.random(len(values)) < 0.2
        words = [("purple" if i % 11 == 0 else each) if name in ("colour", "size") else each for i, each in enumerate(values)]
        table = table.set_column(table.schema.get_field_index(name), name,
                                 pa.array([None if gap else each for gap, each in zip(gaps, words)], table[name].type))
    return table


def assert_scores(ask, model, table, dialect, name="data"):
    """ask(query): rows as dictionaries. Labels alike, posteriors to 1e-12."""
    answers = sorted(ask(model.to_sql(dialect, name)), key=lambda row: row["id"])
    truth = model.predict_proba(table)
    found = np.array([[row[f"P({label})"] for label in model.classes_] for row in answers], float)
    np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12)
    decided = ~np.isnan(truth).any(axis=1)
    labels = [row["prediction"] for row in answers]
    assert [labels[i] for i in np.flatnonzero(decided)] == [str(each) for each in model.predict(table)[decided]]
    return found


def learned(table, target="kind", **settings):
    blocks = {"id": "ignore", **({"w": "ignore"} if "w" in table.schema.names else {}), **settings.pop("blocks", {})}
    values = {name: tuple(each) for name, each in settings.pop("values", {}).items()}
    return BayesClassifier(blocks=blocks, **({"values": values} if values else {}), **settings).fit(table, target)


EXAMPLES = {"tennis.csv": "PlayTennis", "flu.csv": "flu", "three_gaussians.csv": "class", "temperatures.csv": "play", "sizes.csv": "category",
            "shapes.csv": "category"}


def example(name):
    """A table of examples/ with words as they stand there, its target, and places of rows as `id`."""
    import pandas as pd

    frame = pd.read_csv(ROOT / "examples" / name, keep_default_na=False, na_values=["", "NA", "?"])
    return pa.Table.from_pandas(frame.assign(id=range(len(frame))), preserve_index=False), EXAMPLES[name]


def adult(part):
    """A part of adult, words and numbers, some missing; skips the test where it is not."""
    import pandas as pd
    import pytest

    path = ROOT.parent / "shared" / "data" / "tabular" / f"adult_{part}.csv.gz"
    if not path.exists():
        pytest.skip("adult is not in ../shared/data")
    frame = pd.read_csv(path, na_values=["?"], skipinitialspace=True)
    return pa.Table.from_pandas(frame.assign(id=range(len(frame))), preserve_index=False)
