# SPDX-License-Identifier: Apache-2.0
"""The two doors through which a model is changed: the program in a shell, and the Python package."""
import subprocess
import sys

try:
    import credence
    from credence import _core
except ImportError:
    print("the package is not installed in .venv: make python")
    sys.exit(77)


class Shell:
    def __init__(self, program):
        self.program, self.calls = program, 0

    def run(self, *words, status=0):
        self.calls += 1
        done = subprocess.run([self.program, *map(str, words), "-q"], capture_output=True, text=True)
        assert done.returncode == status, f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr}"
        return done

    def fit(self, rows, model, treatment, *more):
        columns = [word for line in treatment for word in ("--as", line)]
        self.run("fit", rows, "--target", "y", "--weights", "w", "-o", model, *columns, *more)

    def update(self, model, rows, *more):
        self.run("update", model, rows, *more)

    def forget(self, model, rows, *more):
        self.run("forget", model, rows, *more)

    def refuse_to_forget(self, model, rows):
        self.run("forget", model, rows, status=3)

    def merge(self, model, other):
        self.run("merge", model, other, "-o", model)

    def adapt(self, model, rows):
        self.run("adapt", model, rows)


class Package:
    def __init__(self):
        self.calls = 0

    def change(self, model, action):
        self.calls += 1
        classifier = credence.BayesClassifier.from_model(credence.Model.load(model), threads=1)
        action(classifier)
        classifier.to_model().save(model)

    def update(self, model, rows):
        self.change(model, lambda changed: changed.partial_fit(credence.read(rows), "y", sample_weight="w"))

    def forget(self, model, rows):
        self.change(model, lambda changed: changed.forget(credence.read(rows), "y", sample_weight="w"))

    def refuse_to_forget(self, model, rows):
        try:
            self.forget(model, rows)
        except ValueError as error:
            assert "cannot" in str(error), error
        else:
            raise AssertionError("rows that were never there were forgotten")

    def merge(self, model, other):
        self.change(model, lambda changed: changed.merge(credence.Model.load(other)))

    def adapt(self, model, rows):
        self.change(model, lambda changed: changed.adapt(credence.read(rows)))

    def refit(self, model, rows, folder):
        """The model's schema fitted to these rows alone: the path of its file."""
        found = _core.Model.load(str(model)).empty()
        found.prior = "empirical"  # one that was given or adapted may be about classes that these rows lack
        if rows.stat().st_size:
            found.learn(_core.open_files([str(rows)], "jsonl", "", True, found.missing, ""), 1)
        path = folder / "wanted.credence"
        found.save(str(path))
        return path
