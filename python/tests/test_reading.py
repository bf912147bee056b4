"""Files and columns as people have them are the same tables in Python."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from credence import BayesClassifier, read

WHEN = pd.to_datetime(["2024-03-01 14:05", "2024-03-02 09:10", "2024-12-24 18:00", "2024-07-01 00:00",
                       "2024-03-09 14:00", "2023-01-31 12:30"])
FRAME = pd.DataFrame({
    "when": WHEN,
    "took": pd.to_timedelta([90, 3600, 12, 86400, 90000, -60], unit="s"),
    "price": ["1.234,50 €", "12,00 €", "2.000,99 €", "9,50 €", "3,00 €", "1.000,00 €"],
    "x": np.array([1.5, 2.25, np.nan, 0.1, 3, 4], dtype=np.float32),
    "good": [True, False, True, True, False, True],
    "n": [1, 2, 3, 4, 5, 7],
    "kind": ["a", "b", "a", "b", "b", "a"],
})


def test_a_frame_with_dates_gives_the_model_of_its_csv(tmp_path):
    FRAME.astype({"x": float}).to_csv(tmp_path / "t.csv", index=False)
    expected = BayesClassifier().fit(read(tmp_path / "t.csv"), "kind").to_model().to_bytes()
    for form in (FRAME, pa.Table.from_pandas(FRAME), pl.from_pandas(FRAME)):
        assert BayesClassifier().fit(form, "kind").to_model().to_bytes() == expected


def test_parquet_and_feather_are_the_table_they_were_written_from(tmp_path):
    table = pa.Table.from_pandas(FRAME)
    expected = BayesClassifier().fit(table, "kind").to_model().to_bytes()
    pa.parquet.write_table(table, tmp_path / "t.parquet")
    pa.feather.write_feather(table, tmp_path / "t.feather")
    for name in ("t.parquet", "t.feather"):
        model = BayesClassifier().fit(read(tmp_path / name), "kind")
        assert model.to_model().to_bytes() == expected


def test_a_damaged_parquet_file_is_one_line(tmp_path):
    pa.parquet.write_table(pa.Table.from_pandas(FRAME), tmp_path / "t.parquet")
    whole = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(whole[:-30])
    with pytest.raises(ValueError, match="pyarrow cannot read this Parquet file") as info:
        BayesClassifier().fit(read(tmp_path / "t.parquet"), "kind")
    assert "\n" not in str(info.value)


def test_a_model_reads_numbers_in_python_as_it_did_in_a_file(tmp_path):
    path = tmp_path / "t.csv"
    FRAME[["price", "kind"]].to_csv(path, index=False, sep=";")
    model = BayesClassifier().fit(read(path), "kind")
    frame = FRAME[["price", "kind"]]
    np.testing.assert_array_equal(model.predict_proba(frame), model.predict_proba(read(path)))
    with pytest.raises(ValueError, match="as this column is"):
        model.predict(frame.assign(price="1.5 €"))
