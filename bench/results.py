"""What run.py and scaling.py have found, as rows for tables."""

import json

import tasks
from common import ROOT

RESULTS = ROOT / "bench" / "results"
RATIOS = ROOT / "bench" / "ratios.json"  # of bench-quick, as they were committed


def load(size):
    """The results of the tasks that have any, in the order of their names."""
    paths = [RESULTS / size / f"{name}.json" for name in tasks.names()]
    return [json.loads(path.read_text()) for path in paths if path.exists()]


def scaling():
    path = RESULTS / "scaling.json"
    return json.loads(path.read_text()) if path.exists() else {}


def our_steps(result):
    """What is known of credence's own steps: nothing of one that failed."""
    ours = next(row for row in result["rows_of"] if row["contender"] == "credence").get("steps", {})
    return {step: found for step, found in ours.items() if "seconds" in found}


def rows_of(result):
    """A row for each step of each contender but ours; ratio: how many times as long as ours it takes."""
    ours = our_steps(result)
    rows = []
    for row in result["rows_of"]:
        for step, found in row.get("steps", {}).items():
            if row["contender"] == "credence" or "seconds" not in found or step not in ours:
                continue
            rows.append({"task": result["task"], "step": step, "contender": row["contender"], "name": row["name"], "ours": ours[step]["seconds"],
                         "seconds": found["seconds"], "ratio": found["seconds"] / ours[step]["seconds"], "agreement": found.get("agreement")})
    return rows


def ratios_of(results):
    """{"task step contender": ratio}"""
    return {f"{row['task']} {row['step']} {row['contender']}": round(row["ratio"], 2) for result in results for row in rows_of(result)}


def committed_ratios():
    return json.loads(RATIOS.read_text()) if RATIOS.exists() else {}
