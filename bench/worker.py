"""The process of one contender: takes lines such as "time fit" from standard input, and answers each with a line of JSON.

    python bench/worker.py TASK CONTENDER FOLDER
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

from tasks import load_contender


def reset_peak():
    """Makes the kernel forget how large this process has been."""
    Path("/proc/self/clear_refs").write_text("5")


def own_peak():
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def processor_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measured(work):
    start, spent = time.perf_counter(), processor_seconds()
    work()
    return {"seconds": time.perf_counter() - start, "processor": processor_seconds() - spent}


class Worker:
    def __init__(self, contender, folder):
        self.contender, self.folder = contender, folder

    def time(self, step):
        return measured(getattr(self.contender, step))

    def answer(self, step, path):
        answer = self.contender.answer(step)
        if answer is not None:
            np.save(path, answer)
        return {"answered": answer is not None}

    def memory(self, step):
        found = self.contender.memory(step)
        if found is None:
            reset_peak()
            getattr(self.contender, step)()
            found = own_peak()
        return {"megabytes": found}

    def prepare(self):
        self.contender.prepare(self.folder)
        return {"version": type(self.contender).version(), "missing": ""}


def main():
    task, name, folder = sys.argv[1:4]
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is not an answer
    worker = None
    for line in sys.stdin:
        what, *arguments = line.split()
        try:
            if worker is None:
                contender = load_contender(task, name)
                if missing := contender.missing():
                    reply = {"missing": missing}
                else:
                    worker = Worker(contender(), Path(folder))
                    reply = worker.prepare()
            else:
                reply = getattr(worker, what)(*arguments)
        except Exception as error:  # whatever goes wrong in a contender is told in its row
            reply = {"error": f"{type(error).__name__}: {str(error).strip()[:300]}"}
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()
