"""The program, which reads the file."""

from contender import Program


class Contender(Program):
    def command(self, step):
        table, model = self.folder / "table.csv", self.folder / "model.credence"
        if step == "fit":  # the peer adds one row, too, and calibrates nothing
            return ["fit", table, "--target", "class", "--as", "x*: pairs(aode, backoff=1)", "--calibrate", "none", "-o", model, "--quiet"]
        return ["predict", model, table, "--quiet"]

    def answer(self, step):
        import pandas as pd

        return None if step == "fit" else pd.read_csv(self.output(step))["prediction"].str[1:].to_numpy(int)
