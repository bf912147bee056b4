# SPDX-License-Identifier: Apache-2.0
"""Models and fitted classifiers as a notebook shows them."""
from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credence._model import Model, ParameterTable

MOST_BLOCKS = 60
MOST_ROWS = 30


def page(name: str, model: Model, classes: Iterable[tuple[Any, str]]) -> str:
    """Classes with their weights, and blocks with their parameters. classes: values with their names in the model."""
    weights = model.class_weights
    values = {label: str(value) for value, label in classes}
    rows = "".join(f"<tr><td>{escape(value)}</td><td>{weights.get(label, 0):g}</td></tr>" for label, value in values.items())
    heads = [values.get(label, label) for label in model.classes]
    tables = model.tables()
    blocks = "".join(_block(block, table, heads) for block, table in zip(model.blocks[:MOST_BLOCKS], tables))
    more = f"<p>… and {len(tables) - MOST_BLOCKS} more</p>" if len(tables) > MOST_BLOCKS else ""
    return (f"<div><b>{escape(name)}</b>: {model.rows:g} rows, rule {escape(model.rule)}, prior "
            f"{escape(model.prior)}<table><tr><th>class</th><th>weight</th></tr>{rows}</table>{blocks}{more}</div>")


def _block(name: str, table: ParameterTable, classes: list[str]) -> str:
    """A line that opens: parameters by class, or the words that speak for each."""
    inside = ""
    if table.rows:
        head = "".join(f"<th>{escape(one)}</th>" for one in classes)
        body = "".join(f"<tr><th>{escape(label)}</th>{''.join(f'<td>{value:.4g}</td>' for value in values)}</tr>"
                       for label, values in list(table.rows.items())[:MOST_ROWS])
        inside += f"<table><tr><th></th>{head}</tr>{body}</table>"
    for title, words in table.words.items():
        inside += f"<p>{escape(title)}: {escape(', '.join(word for word, _ in words[:MOST_ROWS]))}</p>"
    if table.remark:
        inside += f"<p>{escape(table.remark)}</p>"
    return f"<details><summary>{escape(name)}</summary>{inside}</details>"
