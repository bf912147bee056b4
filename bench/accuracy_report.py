#!/usr/bin/env python3
"""docs/accuracy.md and its picture, from what accuracy.py has measured: `accuracy_report.py [RESULTS…]`, names of files in bench/results."""

import csv
import math
import sys
from collections import defaultdict

import numpy as np
from scipy.stats import rankdata, studentized_range, ttest_1samp

from common import ROOT

ORDER = ["fit", "fit --best", "naive Bayes", "LDA", "QDA", "logistic", "boosting", "Khiops"]
TITLES = {"logistic": "logistic regression", "boosting": "HistGradientBoosting", "Khiops": "Khiops 11"}
BAR = 0.1  # points of error that are called a difference


def read(names):
    found, machine = {}, ""
    for name in names:
        for row in csv.DictReader(open(ROOT / "bench" / "results" / f"{name}.csv")):
            key = (row["set"], row["contender"], int(row["shuffle"]))
            found[key] = (100 * float(row["error"]), float(row["log_loss"]), float(row["seconds"]), int(row.get("folds_failed") or 0))
            machine = row["machine"]
    return found, machine


def means(found):
    """[measure][set][contender], over the shuffles that all contenders have; and how many these are."""
    shuffles = defaultdict(set)
    for name, who, shuffle in found:
        shuffles[name, who].add(shuffle)
    contenders = [who for who in ORDER if any(key[1] == who for key in found)]
    names = sorted({key[0] for key in found})
    complete = {name: set.intersection(*(shuffles[name, who] for who in contenders)) for name in names}
    complete = {name: common for name, common in complete.items() if common}
    tables = [{name: {who: np.mean([found[name, who, s][m] for s in common]) for who in contenders}
               for name, common in complete.items()} for m in range(4)]
    return tables, contenders, {name: len(common) for name, common in complete.items()}, [name for name in names if name not in complete]


def ranks(table, contenders):
    rows = np.array([[table[name][who] for who in contenders] for name in table])
    return np.apply_along_axis(rankdata, 1, np.round(rows, 6)).mean(axis=0)


def critical_difference(contenders, sets):
    """Nemenyi's, at 5 % (Demšar, 2006)."""
    return studentized_range.ppf(0.95, contenders, math.inf) / math.sqrt(2) * math.sqrt(contenders * (contenders + 1) / (6 * sets))


def groups_alike(ordered, difference):
    """The widest runs of ranks that lie within the critical difference; none within another."""
    result = []
    for first, rank in enumerate(ordered):
        last = max(i for i, other in enumerate(ordered) if other - rank < difference)
        if last > first and not any(a <= first and last <= b for a, b in result):
            result.append((first, last))
    return result


def rank_panel(title, found, contenders, difference, top):
    order = np.argsort(found)
    left, right, most = 170, 550, len(contenders)
    at = lambda rank: left + (rank - 1) / (most - 1) * (right - left)
    parts = [f'<text x="360" y="{top + 14}" text-anchor="middle" font-weight="bold">{title}</text>',
             f'<path d="M{left} {top + 52}H{right}" stroke="currentColor"/>',
             f'<path d="M{at(1):.1f} {top + 28}H{at(1 + difference):.1f}" stroke="currentColor" stroke-width="2"/>',
             f'<text x="{at(1 + difference) + 6:.1f}" y="{top + 32}">critical difference {difference:.2f}</text>']
    for rank in range(1, most + 1):
        parts.append(f'<path d="M{at(rank):.1f} {top + 47}v5" stroke="currentColor"/><text x="{at(rank):.1f}" y="{top + 43}" text-anchor="middle">{rank}</text>')
    ordered = [found[i] for i in order]
    for k, (a, b) in enumerate(groups_alike(ordered, difference)):
        y = top + 60 + 6 * k
        parts.append(f'<path d="M{at(ordered[a]) - 3:.1f} {y}H{at(ordered[b]) + 3:.1f}" stroke="currentColor" stroke-width="3"/>')
    half = (most + 1) // 2
    for place, i in enumerate(order):
        name, ours = TITLES.get(contenders[i], contenders[i]), contenders[i].startswith("fit")
        better = place < half
        y = top + 92 + 18 * (place if better else most - 1 - place)
        x, anchor, end = (left - 8, "end", left - 4) if better else (right + 8, "start", right + 4)
        style = ' font-weight="bold"' if ours else ""
        parts.append(f'<path d="M{at(found[i]):.1f} {top + 52}V{y - 4}H{end}" fill="none" stroke="{"#0072b2" if ours else "#888"}"/>'
                     f'<text x="{x}" y="{y}" text-anchor="{anchor}"{style}>{name} {found[i]:.2f}</text>')
    return parts


def rank_picture(tables, contenders):
    difference = critical_difference(len(contenders), len(tables[0]))
    height = 120 + 18 * ((len(contenders) + 1) // 2)
    parts = []
    for m, title in enumerate(("mean rank by error", "mean rank by log-loss")):
        parts += rank_panel(title, ranks(tables[m], contenders), contenders, difference, m * height + 8)
    words = "; ".join(f"{title}: " + ", ".join(f"{who} {rank:.2f}" for who, rank in zip(contenders, ranks(tables[m], contenders)))
                      for m, title in enumerate(("error", "log-loss")))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {2 * height + 8}" font-family="sans-serif" font-size="12" color="#222" fill="#222">'
            f'<desc>Mean ranks. {words}</desc><rect width="100%" height="100%" fill="white"/>' + "\n".join(parts) + "</svg>\n")


def table_of(table, contenders, form):
    lines = ["| set | " + " | ".join(contenders) + " |", "|---" * (len(contenders) + 1) + "|"]
    for name, row in table.items():
        least = min((form.format(row[who]) for who in contenders), key=float)
        cells = [f"**{cell}**" if cell == least else cell for cell in (form.format(row[who]) for who in contenders)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def summary(tables, contenders):
    errors, losses, seconds, failed = tables
    rank = [ranks(errors, contenders), ranks(losses, contenders)]
    lines = ["| | error | log-loss | rank by error | rank by log-loss | processor time |", "|---|---|---|---|---|---|"]
    for i, who in enumerate(contenders):
        mean = [np.mean([row[who] for row in table.values()]) for table in (errors, losses)]
        total = sum(row[who] for row in seconds.values())
        lines.append(f"| {TITLES.get(who, who)} | {mean[0]:.2f} % | {mean[1]:.3f} | {rank[0][i]:.2f} | {rank[1][i]:.2f} | {total:,.0f} s |")
    return lines


def listed(errors, ours, other):
    worse = sorted(((row[ours] - row[other], name) for name, row in errors.items() if row[ours] - row[other] > BAR), reverse=True)
    wins = sum(row[other] - row[ours] > BAR for row in errors.values())
    text = ", ".join(f"{name} {errors[name][ours]:.2f} against {errors[name][other]:.2f}" for _, name in worse) or "none"
    return f"- `{ours}` against {TITLES.get(other, other)}: better on {wins} tables, worse on {len(worse)}: {text}."


def paired(errors, losses, ours, other):
    differences = [np.array([row[ours] - row[other] for row in table.values()]) for table in (errors, losses)]
    tests = [ttest_1samp(d, 0).pvalue for d in differences]
    return (f"| `{ours}` less {TITLES.get(other, other)} | {differences[0].mean():+.2f} | {tests[0]:.3f} | "
            f"{differences[1].mean():+.3f} | {tests[1]:.3f} |")


def page(tables, contenders, shuffles, absent, machine):
    errors, losses, _, failed = tables
    most = max(shuffles.values())
    fewer = [name for name, many in shuffles.items() if many < most]
    others = [who for who in contenders if not who.startswith("fit")]
    fails = [f"{TITLES.get(who, who)} on {name}" for name, row in failed.items() for who in contenders if row[who] > 0]
    ours = [who for who in contenders if who.startswith("fit")]
    lines = ["# Accuracy", "", "Made by `bench/accuracy.py` and `bench/accuracy_report.py`; not written by hand.", "",
             f"{len(errors)} tables of the UCI repository, ten-fold, {most} shuffle{'s' if most > 1 else ''}, the same folds for all. Ours are the commands "
             "`fit` and `fit --best` without any other option; the others are as they come: scikit-learn's, with one thread, naive Bayes (GaussianNB of the numbers and CategoricalNB of the words, added), "
             "LDA and QDA (with shrinkage, of columns made 0 and 1), logistic regression and HistGradientBoosting, and Khiops 11. Error is in percent, log-loss in nats a row. Processor "
             f"time is that of learning and predicting in all folds, with files written and read where a contender is a program. {machine}; the machine was shared.", ""]
    if fewer:
        lines += ["Large tables have fewer shuffles: " + ", ".join(f"{name} {shuffles[name]}" for name in fewer) + ".", ""]
    if absent:
        lines += ["Left out, because not every contender has been through them yet: " + ", ".join(absent) + ".", ""]
    lines += summary(tables, contenders) + [""]
    lines += ["Bars below the ranks join contenders that Nemenyi's test does not tell apart at 5 %.", "", "![Mean ranks of all contenders](pictures/accuracy_ranks.svg)", ""]
    lines += ["## Differences", "", "Means over tables, with the p value of a paired t test over them:", "",
              "| | error | p | log-loss | p |", "|---|---|---|---|---|"]
    lines += [paired(errors, losses, mine, who) for mine in ours for who in others] + [""]
    lines += ["## Where we lose", "", f"By more than {BAR} points of error:", ""]
    if len(ours) == 2:
        lines.append(listed(errors, "fit --best", "fit"))
    lines += [listed(errors, mine, who) for mine in ours for who in others] + [""]
    if fails:
        lines += ["A contender that failed in a fold, of a class with one row, answers there with the classes' shares: " + ", ".join(fails) + ".", ""]
    lines += ["## Error, %", ""] + table_of(errors, contenders, "{:.2f}") + ["", "## Log-loss", ""] + table_of(losses, contenders, "{:.3f}")
    return "\n".join(lines) + "\n"


def main():
    found, machine = read(sys.argv[1:] or ["accuracy"])
    tables, contenders, shuffles, absent = means(found)
    (ROOT / "docs" / "pictures" / "accuracy_ranks.svg").write_text(rank_picture(tables, contenders))
    (ROOT / "docs" / "accuracy.md").write_text(page(tables, contenders, shuffles, absent, machine))
    print(f"wrote docs/accuracy.md of {len(tables[0])} tables")


if __name__ == "__main__":
    main()
