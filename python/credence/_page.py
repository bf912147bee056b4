# SPDX-License-Identifier: Apache-2.0
"""A fitted classifier as a notebook shows it."""
from __future__ import annotations

from html import escape

from credence._learned import Learned

MOST_BLOCKS = 60


def page(name: str, learned: Learned) -> str:
    """Classes with their weights, and blocks."""
    model = learned.model
    weights = dict(zip(model.classes, model.class_weights))
    rows = "".join(f"<tr><td>{escape(str(value))}</td><td>{weights.get(label, 0):g}</td></tr>"
                   for value, label in zip(learned.labels.classes, learned.labels.names()))
    blocks = "".join(f"<li>{escape(block)}</li>" for block in model.blocks[:MOST_BLOCKS])
    more = "<li>…</li>" if len(model.blocks) > MOST_BLOCKS else ""
    return (f"<div><b>{escape(name)}</b>: {model.rows:g} rows, rule {escape(model.rule)}, prior "
            f"{escape(model.prior)}<table><tr><th>class</th><th>weight</th></tr>{rows}</table>"
            f"<ul>{blocks}{more}</ul></div>")
