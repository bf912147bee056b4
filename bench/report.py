#!/usr/bin/env python3
"""docs/benchmarks.md with its pictures, and the table in the README, from what the benchmarks have measured."""

import csv
import math
import re

import results
import tasks
from common import ROOT

PICTURES = ROOT / "docs" / "pictures"
OURS, NEAR, OTHER = "#222", "#0072b2", "#d55e00"  # ours, scikit-learn, all others
STEPS = {"fit": "fit", "predict": "predict", "predict_proba": "predict, probabilities"}


def duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            break
    value = seconds / size
    return f"{value:.{max(0, 2 - int(math.log10(max(value, 1))))}f} {unit}"


def times(ratio):
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def is_ours(row):
    return row["name"].startswith("credence")


def why(task, contender):
    return getattr(tasks.load_task(task), "WHY", {}).get(contender, "")


# Tables

def table_of(result):
    """Everything that is known of a task: a row for each contender."""
    steps = result["steps"]
    ours = results.our_steps(result)
    lines = ["| | " + " | ".join(f"{STEPS[step]} | times ours | spread | memory" for step in steps) + " | |",
             "|---" * (4 * len(steps) + 2) + "|"]
    notes = []
    for row in result["rows_of"]:
        name = f"{row.get('name', row['contender'])}" + (f" ({row['version']})" if row.get("version") else "")
        if row.get("error"):
            notes.append(f"{row.get('name', row['contender'])}: {row['error']}")
            continue
        cells = []
        for step in steps:
            found = row["steps"].get(step, {})
            if "seconds" not in found:
                cells += ["", "", "", ""]
                continue
            ratio = found["seconds"] / ours[step]["seconds"] if step in ours else math.nan
            shown = "" if row["contender"] == "credence" or step not in ours else f"**{times(ratio)}**" if ratio < 1 else times(ratio)
            cells += [duration(found["seconds"]), shown, f"{found['spread']:.0%}", f"{found['megabytes']:.0f} MB"]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {row.get('note', '')} |")
    return lines, notes


def speed_line(result):
    """What of the machine's limit the task needs: bytes in a second."""
    parts = []
    for step, found in results.our_steps(result).items():
        rate = result["bytes"] / found["seconds"]
        parts.append(f"{STEPS[step]} {rate / 1e6:,.0f} MB/s ({rate / result['bandwidth']:.0%})")
    return f"Credence takes in {', '.join(parts)} of {result['bytes'] / 1e6:,.0f} MB; both cores read memory at {result['bandwidth'] / 1e9:.1f} GB/s in this run."


def task_section(result):
    table, notes = table_of(result)
    lines = [f"## {result['title']}", "", result["what"][0].upper() + result["what"][1:] + ".", "", *table, ""]
    if result["bytes"] > 1e6 and results.our_steps(result):
        lines += [speed_line(result), ""]
    if notes:
        lines += ["Without times: " + "; ".join(notes) + ".", ""]
    return lines


def losses_section(found):
    slower = [row for result in found for row in results.rows_of(result) if row["ratio"] < 1 and not is_ours(row)]
    lines = ["## Where others are faster", ""]
    if not slower:
        return lines + ["Nowhere in this run.", ""]
    lines += ["| task | step | who | times ours | why |", "|---|---|---|---|---|"]
    titles = {result["task"]: result["title"] for result in found}
    lines += [f"| {titles[row['task']]} | {STEPS[row['step']]} | {row['name']} | {times(row['ratio'])} | {why(row['task'], row['contender'])} |" for row in slower]
    return lines + [""]


def growth_section(growth):
    if not growth:
        return []
    lines = ["## Growth", "", "Time and memory of the program on growing tables; n is what grows. The exponent of n^e is the slope of the line through the "
             "logarithms of the largest three sizes; 1 is linear.", "", "![Seconds against size](pictures/benchmarks_growth.svg)", ""]
    for axis, found in growth.items():
        sizes = found["sizes"]
        lines += [f"**{axis}**: {', '.join(f'{n:,}' for n in sizes)}", "", "| | seconds | time ^ | MB | memory ^ |", "|---|---|---|---|---|"]
        for command, of in found["commands"].items():
            lines.append(f"| {command} | {', '.join(f'{s:.2f}' for s in of['seconds'])} | {of['time_exponent']:.2f} | "
                         f"{', '.join(f'{m:.0f}' for m in of['megabytes'])} | {of['memory_exponent']:.2f} |")
        lines.append("")
    return lines


# Pictures

def picture(width, height, words, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" color="{OURS}" fill="{OURS}">'
            f'<desc>{words}</desc><rect width="100%" height="100%" fill="white"/>' + "\n".join(parts) + "</svg>\n")


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def ratio_picture(found):
    """A line for each step, a dot for each contender, on a logarithmic axis."""
    lines = []
    for result in found:
        for step in result["steps"]:
            rows = [row for row in results.rows_of(result) if row["step"] == step and not is_ours(row)]
            if rows:
                lines.append((f"{result['title']}: {STEPS[step]}", rows))
    if not lines:
        return picture(760, 40, "nothing measured", [])
    most = max(row["ratio"] for _, rows in lines for row in rows)
    least = min(0.5, min(row["ratio"] for _, rows in lines for row in rows))
    left, right, top, high = 320, 700, 52, 20
    def at(ratio):
        return left + (math.log(ratio) - math.log(least)) / (math.log(most) - math.log(least)) * (right - left)
    bottom = top + high * len(lines)
    parts = [f'<text x="{left}" y="18" font-weight="bold">times as long as credence</text>',
             f'<circle cx="{left + 190}" cy="14" r="4" fill="{NEAR}"/><text x="{left + 200}" y="18">scikit-learn, behind any reader</text>',
             f'<circle cx="{left + 400}" cy="14" r="4" fill="{OTHER}"/><text x="{left + 410}" y="18">others</text>']
    for power in range(-1, 6):
        if least <= 10 ** power <= most:
            parts.append(f'<path d="M{at(10 ** power):.1f} {top - 8}V{bottom}" stroke="{"#222" if power == 0 else "#ccc"}"/>'
                         f'<text x="{at(10 ** power):.1f}" y="{top - 12}" text-anchor="middle">{10.0 ** power:g}</text>')
    for i, (title, rows) in enumerate(lines):
        y = top + high * i + 8
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{escaped(title)}</text><path d="M{left} {y}H{right}" stroke="#eee"/>')
        for row in sorted(rows, key=lambda row: "scikit" in row["name"]):
            colour = NEAR if "scikit" in row["name"] else OTHER
            parts.append(f'<circle cx="{at(row["ratio"]):.1f}" cy="{y}" r="4" fill="{colour}"><title>{escaped(row["name"])} {times(row["ratio"])}</title></circle>')
    words = "; ".join(f"{title}: " + ", ".join(f"{row['name']} {times(row['ratio'])}" for row in rows) for title, rows in lines)
    return picture(760, bottom + 12, escaped(words), parts)


def growth_picture(growth):
    """A panel for each axis: seconds against size, both as logarithms, a line for each command."""
    wide, high, parts = 380, 230, []
    for p, (axis, found) in enumerate(growth.items()):
        x0, y0 = 44 + (p % 2) * wide, 30 + (p // 2) * high
        sizes = [math.log10(n) for n in found["sizes"]]
        values = [math.log10(max(s, 1e-3)) for of in found["commands"].values() for s in of["seconds"]]
        low, top = math.floor(min(values)), math.ceil(max(values))
        def at_x(value):
            return x0 + (value - sizes[0]) / ((sizes[-1] - sizes[0]) or 1) * 200
        def at_y(value):
            return y0 + 160 - (value - low) / ((top - low) or 1) * 150
        parts.append(f'<text x="{x0}" y="{y0 - 10}" font-weight="bold">{axis}</text>')
        parts += [f'<path d="M{x0} {at_y(v):.1f}h200" stroke="#ddd"/><text x="{x0 - 6}" y="{at_y(v) + 4:.1f}" text-anchor="end">{10.0 ** v:g} s</text>' for v in range(low, top + 1)]
        parts += [f'<text x="{at_x(x):.1f}" y="{y0 + 180}" text-anchor="middle">{f"{n:,}" if n < 10_000 else f"{n:.0e}".replace("e+0", "e")}</text>'
                  for x, n in zip(sizes, found["sizes"])]
        ends = sorted(((at_y(math.log10(max(of["seconds"][-1], 1e-3))), name) for name, of in found["commands"].items()))
        place = -math.inf
        for end, name in ends:
            place = max(place + 13, end)
            of = found["commands"][name]
            points = " ".join(f"{at_x(x):.1f},{at_y(math.log10(max(s, 1e-3))):.1f}" for x, s in zip(sizes, of["seconds"]))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{NEAR}"/><text x="{x0 + 206}" y="{place + 4:.1f}" font-size="11">{name} ^{of["time_exponent"]:.2f}</text>')
    words = "; ".join(f"{axis}: " + ", ".join(f"{name} {of['time_exponent']:.2f}" for name, of in found["commands"].items()) for axis, found in growth.items())
    return picture(2 * wide, 20 + high * ((len(growth) + 1) // 2), f"Exponents of time. {words}", parts)


# The README

def readme_lines(found):
    lines = ["| task | step | credence | scikit-learn | times as fast | the fastest other |", "|---|---|---|---|---|---|"]
    for result in found:
        for step in result["steps"]:
            rows = [row for row in results.rows_of(result) if row["step"] == step and not is_ours(row)]
            if not rows:
                continue
            near = min((row for row in rows if "scikit" in row["name"]), key=lambda row: row["ratio"], default=None)
            others = min((row for row in rows if row is not near), key=lambda row: row["ratio"], default=None)
            lines.append(f"| {result['title']} | {STEPS[step]} | {duration(rows[0]['ours'])} | "
                         + (f"{duration(near['seconds'])} | {times(near['ratio'])} | " if near else "| | ")
                         + (f"{others['name']}, {times(others['ratio'])} |" if others else "|"))
    return lines


def accuracy_lines():
    rows = []
    for name in ("tabular", "text_accuracy"):
        path = ROOT / "bench" / "results" / f"{name}.csv"
        rows += list(csv.DictReader(open(path))) if path.exists() else []
    if not rows:
        return []
    lines = ["| accuracy | peer | peer | credence | difference |", "|---|---|---|---|---|"]
    return lines + [f"| {r['task']} | {r['peer']} | {r['peer_accuracy']} | {r['credence_accuracy']} | {r['difference']} |" for r in rows] + [""]


def write_readme(found):
    lines = readme_lines(found) + ["", f"{found[0]['machine']}; peers in the same run, answers compared first; the fastest reader in front of scikit-learn. "
                                   "[All contenders, memory, and where we lose](docs/benchmarks.md). Tables below: ten folds, mean of five shuffles, beside "
                                   "scikit-learn's naive Bayes; 20 Newsgroups: its test part. [More on accuracy](docs/accuracy.md).", ""] + accuracy_lines()
    path = ROOT / "README.md"
    block = "<!-- results -->\n" + "\n".join(lines) + "<!-- /results -->"
    path.write_text(re.sub(r"<!-- results -->.*<!-- /results -->", lambda _: block, path.read_text(), flags=re.S))


def write_page(found, growth):
    first = found[0]
    versions = ", ".join(f"{name} {version}" for name, version in first["versions"].items())
    lines = ["# Benchmarks", "", "Made by `make bench`; not written by hand. [How](../bench/README.md).", "",
             f"{first['machine']}; {versions}; {first['date']}. Every contender has a process of its own. Each answers once, and its answer is compared with ours, before anything is "
             "timed; then at least five rounds, in which all take turns. Times are medians, the spread is the largest less the smallest over the median, memory is the peak of the "
             "process. *Times ours* is what it takes over what credence takes; below 1, in bold, it is faster.", "",
             "![Times as long as credence](pictures/benchmarks_ratios.svg)", ""]
    lines += losses_section(found)
    for result in found:
        lines += task_section(result)
    lines += growth_section(growth)
    (ROOT / "docs" / "benchmarks.md").write_text("\n".join(lines).rstrip() + "\n")
    (PICTURES / "benchmarks_ratios.svg").write_text(ratio_picture(found))
    if growth:
        (PICTURES / "benchmarks_growth.svg").write_text(growth_picture(growth))


def main():
    found = results.load("full")
    if not found:
        raise SystemExit("nothing in bench/results/full: run bench/run.py first")
    write_page(found, results.scaling())
    write_readme(found)
    print(f"wrote docs/benchmarks.md of {len(found)} tasks, and the table in README.md")


if __name__ == "__main__":
    main()
