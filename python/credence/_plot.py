# SPDX-License-Identifier: Apache-2.0
"""Pictures of a model, on matplotlib's axes: `model.plot.density("age")`."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credence import _core

if TYPE_CHECKING:
    from credence.classifier import BayesClassifier

Floats = NDArray[np.float64]

# Okabe and Ito's colours, which people tell apart however they see colours; the yellow is left out, for the page is white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
GREY = "#777777"
SPEAK = "speak for "  # how the lists of a class's own words begin
NUMBERS = ("number", "amount", "count")


class Plots:
    """What `model.plot` is. Each method draws on `ax`, or on new axes, and returns them."""

    def __init__(self, model: BayesClassifier) -> None:
        self._model = model
        self._core = model._learned.model

    def density(self, column: Any, *, ax: Any = None, points: int = 400) -> Any:
        """p(x | class) along one column: how its values are spread in each class."""
        values, name, kind = self._values(column, points)
        ax = _axes(ax)
        densities = np.exp(self._log_densities(name, values))
        self._draw(ax, values, densities, kind, fill=True)
        ax.set_ylim(bottom=0)
        what = "P" if kind not in ("number", "amount") else "Density p"
        return _labelled(ax, f"{name} in each class", name, f"{what}({name} | class)")

    def posterior(self, column: Any, *, at: Mapping[str, Any] | None = None, ax: Any = None,
                  points: int = 400) -> Any:
        """P(class | x) along one column. `at` has the values of other columns; the rest is unknown."""
        values, name, kind = self._values(column, points)
        ax = _axes(ax)
        fixed = {self._name(other): [value] * len(values) for other, value in (at or {}).items()}
        joint = self._joint({**fixed, name: values}, len(values))
        probabilities, _ = _core.posteriors(np.ascontiguousarray(joint), 1)
        self._draw(ax, values, probabilities, kind)
        ax.set_ylim(-0.02, 1.02)
        given = "".join(f", {other} = {value}" for other, value in (at or {}).items())
        known = f"{name}{given}" if given else f"{name} alone"
        return _labelled(ax, f"What follows from {known}", name, "P(class | x)")

    def feature(self, column: Any, *, most: int = 10, ax: Any = None, points: int = 400) -> Any:
        """How much each value, or each word of a text, speaks for each class: log p(x | class) / p(x | other classes)."""
        name = self._name(column)
        if self._kind(name) in ("text", "bag"):
            return self._words(name, most, _axes(ax))
        values, name, kind = self._values(name, points)
        ax = _axes(ax)
        ax.axhline(0, color=GREY, linewidth=0.8)
        self._draw(ax, values, self._weights_of_evidence(name, values), kind)
        return _labelled(ax, f"What {name} says of the class", name, "weight of evidence (nats)")

    def evidence(self, row: Any, *, against: Any = None, most: int = 12, ax: Any = None) -> Any:
        """Why one row is of its class: what each column adds to the log-odds."""
        found = self._model.explain(row, against)
        if len(found) != 1:
            raise ValueError(f"evidence: one row is wanted, not {len(found)}")
        explanation = found[0]
        lines = [line for line in explanation.lines if line.weight != 0 or line.column == "prior"]
        strongest = sorted(lines, key=lambda line: -abs(line.weight))[:most]
        shown = [line for line in lines if line in strongest]
        names = [f"{line.column} = {line.value}" if line.value else line.column for line in shown]
        weights = [line.weight for line in shown]
        if len(shown) < len(lines):
            names.append(f"{len(lines) - len(shown)} others")
            weights.append(explanation.log_odds - sum(weights))
        names.append("log-odds")
        weights.append(explanation.log_odds)
        ax = _axes(ax)
        places = np.arange(len(names))
        colours = [COLOURS[0] if weight >= 0 else COLOURS[1] for weight in weights]
        bars = ax.barh(places, weights, color=colours, height=0.7)
        bars[-1].set_color("black")
        ax.bar_label(bars, labels=[f"{weight:+.2f}" for weight in weights], padding=3, fontsize="small")
        ax.axvline(0, color=GREY, linewidth=0.8)
        ax.axhline(len(names) - 1.5, color=GREY, linewidth=0.8, linestyle=":")
        ax.set_yticks(places, names)
        ax.invert_yaxis()
        ax.margins(x=0.18)
        ax.set_xlabel(f"for {explanation.other}  ←  weight of evidence (nats)  →  for {explanation.winner}")
        probability = explanation.probabilities[explanation.winner]
        ax.set_title(f"{explanation.winner} rather than {explanation.other}: P = {probability:.3f}")
        return _plain(ax)

    def calibration(self, X: Any, y: Any, *, bins: int = 10, ax: Any = None) -> Any:
        """Whether decisions of probability p are right in p of all cases, on rows that were not learned."""
        truth = np.asarray(X[y] if isinstance(y, str) else y)
        probabilities = self._model.predict_proba(X)
        surest = probabilities.max(axis=1)
        right = self._model.classes_[probabilities.argmax(axis=1)] == truth
        which = np.minimum((surest * bins).astype(int), bins - 1)
        rows = np.bincount(which, minlength=bins)
        used = rows > 0
        said = np.bincount(which, surest, minlength=bins)[used] / rows[used]
        held = np.bincount(which, right, minlength=bins)[used] / rows[used]
        error = float((np.abs(said - held) * rows[used]).sum() / rows.sum())
        ax = _axes(ax)
        counts = ax.twinx()
        counts.bar((np.arange(bins) + 0.5) / bins, rows, width=0.9 / bins, color="#DDDDDD")
        counts.set_ylim(0, 4 * rows.max())
        counts.set_yticks([0, int(rows.max())])
        counts.set_ylabel("rows (grey bars)", color=GREY, loc="bottom")
        for side in ("top", "left"):
            counts.spines[side].set_visible(False)
        ax.set_zorder(counts.get_zorder() + 1)
        ax.patch.set_visible(False)
        ax.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1, label="as it should be")
        # Where chance alone would leave two thirds of the points.
        spread = np.sqrt(np.maximum(held * (1 - held), 0.25 / rows[used]) / rows[used])
        ax.errorbar(said, held, spread, color=COLOURS[0], marker="o", capsize=2, label=f"model (ECE {error:.3f})")
        ax.set_xlim(min(0.98 / len(self._model.classes_), float(said.min()) - 0.02), 1.01)
        ax.set_ylim(-0.02, 1.04)
        ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 0.27))
        return _labelled(ax, "Are the probabilities true?", "probability of the decision", "share that was right",
                         legend=False)

    # What is drawn

    def _name(self, column: Any) -> str:
        names = self._core.columns
        name = f"x{column}" if isinstance(column, (int, np.integer)) else str(column)
        if name not in names:
            raise ValueError(f"no column {column!r} in the model; it has {', '.join(names)}")
        return name

    def _kind(self, name: str) -> str:
        return self._core.kinds[self._core.columns.index(name)]

    def _values(self, column: Any, points: int) -> tuple[Any, str, str]:
        """Values along a column, from where the model itself would draw them."""
        name = self._name(column)
        kind = self._kind(name)
        if kind in ("text", "bag"):
            raise ValueError(f"column {name!r} holds words: see plot.feature")
        place = self._core.columns.index(name)
        drawn: Any = self._model._learned.scorer.sample(4000, 1)[0][place]
        if kind == "category":
            return sorted({word for word in drawn if word is not None}), name, kind
        if kind == "binary":
            return np.array([0.0, 1.0]), name, kind
        low, high = np.quantile(np.asarray(drawn, dtype=np.float64), [0.002, 0.998])
        margin = 0.08 * (high - low) or 1.0
        if kind == "count":
            return np.arange(0.0, np.ceil(high) + 2), name, kind
        low = max(low - margin, 0.0) if kind == "amount" else low - margin
        return np.linspace(low, high + margin, points), name, kind

    def _joint(self, known: Mapping[str, Any], count: int) -> Floats:
        """log P(c, x) of rows of which only these columns are known."""
        frame = _core.Frame()
        for column, kind in zip(self._core.columns, self._core.kinds):
            cells = known.get(column)
            if kind in (*NUMBERS, "binary"):
                numbers = np.full(count, np.nan) if cells is None else np.asarray(cells, dtype=np.float64)
                frame.add_numbers(column, numbers)
            else:
                words: list[str | None] = [None] * count if cells is None else [str(cell) for cell in cells]
                frame.add_words(column, words)
        return self._model._learned.log_joint(frame.open("", self._core.missing), 1)

    def _log_prior(self) -> Floats:
        """log P(c) is what remains when nothing is known."""
        return np.asarray(self._joint({}, 1)[0])

    def _log_densities(self, name: str, values: Any) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(self._joint({name: values}, len(values)) - self._log_prior())

    def _weights_of_evidence(self, name: str, values: Any) -> Floats:
        logs, prior = self._log_densities(name, values), np.exp(self._log_prior())
        weights = np.empty_like(logs)
        for cls in range(logs.shape[1]):
            rest = np.arange(logs.shape[1]) != cls
            shares = prior[rest] / prior[rest].sum()
            top = logs[:, rest].max(axis=1, keepdims=True)
            others = np.log((np.exp(logs[:, rest] - top) * shares).sum(axis=1)) + top[:, 0]
            weights[:, cls] = logs[:, cls] - others
        return weights

    def _draw(self, ax: Any, values: Any, heights: Floats, kind: str, fill: bool = False) -> None:
        classes = self._model.classes_
        if kind in ("category", "binary"):
            width = 0.8 / len(classes)
            places = np.arange(len(values))
            for cls, label in enumerate(classes):
                ax.bar(places + (cls - (len(classes) - 1) / 2) * width, heights[:, cls], width * 0.95,
                       color=COLOURS[cls % len(COLOURS)], label=str(label))
            ax.set_xticks(places, [str(int(value)) if kind == "binary" else value for value in values])
            if max(len(str(value)) for value in values) * len(values) > 60:
                ax.tick_params(axis="x", labelrotation=90)
            return
        for cls, label in enumerate(classes):
            colour, style = COLOURS[cls % len(COLOURS)], STYLES[cls // len(COLOURS) % len(STYLES)]
            if kind == "count":
                ax.plot(values, heights[:, cls], color=colour, marker=MARKS[cls % len(MARKS)], linestyle=":",
                        markersize=4, label=str(label))
            else:
                style = STYLES[cls % len(STYLES)]
                ax.plot(values, heights[:, cls], color=colour, linestyle=style, label=str(label))
                if fill:
                    ax.fill_between(values, heights[:, cls], color=colour, alpha=0.12, linewidth=0)
        ax.margins(x=0)

    def _words(self, name: str, most: int, ax: Any) -> Any:
        """The words of a text that speak loudest, class by class."""
        tables = [table for table in self._model.to_model().tables() if name in table.title.split(", ")]
        lists = [(title.removeprefix(SPEAK).removesuffix(" (log-odds)"), words[:most]) for table in tables
                 for title, words in table.words.items() if words and title.startswith(SPEAK)]
        if not lists:
            raise ValueError(f"column {name!r}: the model has no list of words for it")
        at = 0.0
        ticks: list[float] = []
        labels: list[str] = []
        for number, (title, words) in enumerate(lists):
            places = at + np.arange(len(words))
            ax.barh(places, [weight for _, weight in words], color=COLOURS[number % len(COLOURS)], height=0.8,
                    label=title)
            ticks.extend(places)
            labels.extend(word for word, _ in words)
            at += len(words) + 1
        ax.axvline(0, color=GREY, linewidth=0.8)
        ax.set_yticks(ticks, labels, fontsize="small" if len(ticks) > 24 else None)
        ax.invert_yaxis()
        ax.margins(y=0.02)
        return _labelled(ax, f"The words of {name} that say most", "weight of evidence (nats)", "")


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install matplotlib") from None
    return plt.subplots(layout="constrained")[1]


def _plain(ax: Any) -> Any:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def _labelled(ax: Any, title: str, x: str, y: str, legend: bool = True) -> Any:
    ax.set_title(title)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if legend:
        ax.legend(title="class", frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return _plain(ax)
