# SPDX-License-Identifier: Apache-2.0
"""From what people pass as X to a table that the C++ library reads where it lies."""
from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array

from credence import _core

BAG = "features"
TEXT = "text"


@dataclass
class Table:
    """A table, and how X named its columns: not at all, or by `names`."""

    frame: _core.Frame
    form: str  # "frame", "array", "sparse" or "text"
    width: int  # what scikit-learn calls the number of features
    names: list[str] | None


def as_table(X: Any, columns: Sequence[str] | None = None, form: str | None = None) -> Table:
    """columns: names for the columns of an array. form: what the model was fitted on."""
    if sparse.issparse(X):
        if form not in (None, "sparse"):
            raise TypeError("A sparse matrix was passed, but the model was fitted on dense data; "
                            "use X.toarray() to convert it.")
        return _sparse(X)
    if _is_pandas(X, "DataFrame"):
        return _pandas(X)
    if hasattr(X, "__arrow_c_stream__") and not _is_series(X):
        return _arrow(X)
    if _is_texts(X):
        frame = _core.Frame()
        frame.add_words(TEXT, cells_of(X, TEXT), documents=True)
        return Table(frame, "text", 1, None)
    if form == "sparse":
        return _sparse(sparse.csr_array(check_array(X, dtype=np.float64)))
    return _array(X, columns)


def _is_pandas(X: Any, name: str) -> bool:
    return type(X).__name__ == name and type(X).__module__.partition(".")[0] == "pandas"


def _is_series(X: Any) -> bool:
    return not hasattr(X, "columns") and not hasattr(X, "column_names") and hasattr(X, "__len__")


def _is_texts(X: Any) -> bool:
    """A list, a series or a one-dimensional array of strings."""
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and all(isinstance(cell, str) or cell is None for cell in X)
    if isinstance(X, np.ndarray) or _is_series(X):
        array = np.asarray(X)
        return array.ndim == 1 and array.size > 0 and array.dtype.kind in "OUT" and all(
            isinstance(cell, str) or _is_missing(cell) for cell in array)
    return False


def _empty(rows: int, width: int) -> ValueError:
    return ValueError(f"Found array with {rows} sample(s) and {width} feature(s) (shape=({rows}, "
                      f"{width})) while a minimum of 1 is required.")


# Sparse matrices

def _sparse(X: Any) -> Table:
    X = X.tocsr()
    rows, width = X.shape
    if rows == 0 or width == 0:
        raise _empty(rows, width)
    if X.data.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    # Both kinds of indices in one type, the wider one where they differ.
    index = np.result_type(X.indptr.dtype, X.indices.dtype)
    frame = _core.Frame()
    frame.add_sparse(BAG, X.indptr.astype(index, copy=False), X.indices.astype(index, copy=False),
                     readable(X.data), width)
    return Table(frame, "sparse", width, None)


# Arrays

def readable(array: NDArray[Any]) -> NDArray[Any]:
    """The array in a type that the library reads, the same array where it does already."""
    if array.dtype.kind == "b":
        return array.view(np.uint8)
    if array.dtype == np.float16:
        return array.astype(np.float32)
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        return array.astype(np.float64)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _array(X: Any, columns: Sequence[str] | None) -> Table:
    array = check_array(X, dtype=None, ensure_all_finite=False)
    width = array.shape[1]
    names = list(columns) if columns is not None else [f"x{i}" for i in range(width)]
    frame = _core.Frame()
    if array.dtype.kind in "biuf":
        array = readable(array)
        if len(names) == width:
            frame.add_matrix(names, array)
    elif array.dtype.kind in "OUT":
        for name, column in zip(names, array.T):
            frame.add_words(name, cells_of(column, name))
    else:
        raise TypeError(f"X: an array of {array.dtype} holds neither numbers nor words")
    return Table(frame, "array", width, None)


def _is_missing(cell: Any) -> bool:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return True
    return type(cell).__name__ in ("NAType", "NaTType")


def _text(cell: Any, name: str) -> str | None:
    if isinstance(cell, str):
        return str(cell)
    if _is_missing(cell):
        return None
    if isinstance(cell, (numbers.Number, np.generic)) and not isinstance(cell, complex):
        return str(cell)
    if hasattr(cell, "isoformat"):
        return str(cell)
    raise TypeError(f'X, column "{name}": argument must be a string or a real number, not '
                    f"'{type(cell).__name__}'")


def cells_of(column: Iterable[Any], name: str) -> list[str | None]:
    """Cells of any type as the words of a CSV file; None where there is none."""
    return [_text(cell, name) for cell in column]


# Data frames

def _arrow(X: Any) -> Table:
    frame = _core.Frame.of_stream(X.__arrow_c_stream__())
    names = frame.names
    return Table(frame, "frame", len(names), names)


def _pandas(X: Any) -> Table:
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise _empty(*X.shape)
    _check_names(X.columns)
    frame = _core.Frame()
    for place, label in enumerate(X.columns):
        # Labels that are no names are places, as those of an array.
        _add_series(frame, label if isinstance(label, str) else f"x{place}", X.iloc[:, place])
    named = isinstance(X.columns[0], str)
    return Table(frame, "frame", X.shape[1], frame.names if named else None)


def _check_names(labels: Iterable[Any]) -> None:
    types = sorted({type(label).__qualname__ for label in labels})
    if len(types) > 1 and "str" in types:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {types} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using X.columns = "
            "X.columns.astype(str) for example. Otherwise you can remove feature / column names "
            "from your input data, or convert them all to a non-string data type.")


def _add_series(frame: _core.Frame, name: str, series: Any) -> None:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        words = [_text(category, name) or "" for category in series.cat.categories]
        frame.add_codes(name, series.cat.codes.to_numpy(), words)
    elif isinstance(dtype, pd.ArrowDtype) or getattr(dtype, "storage", "") == "pyarrow":
        array = series.array.__arrow_array__()
        if hasattr(array, "combine_chunks"):
            array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
        frame.add_arrow(name, *array.__arrow_c_array__())
    elif isinstance(dtype, pd.SparseDtype):
        _add_series(frame, name, series.sparse.to_dense())
    elif pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
        frame.add_words(name, cells_of(series, name))  # as they stand in a file
    elif isinstance(dtype, np.dtype):
        _add_numpy(frame, name, series.to_numpy())
    elif pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        frame.add_numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan),
                          whole=pd.api.types.is_integer_dtype(dtype))
    elif pd.api.types.is_bool_dtype(dtype) or isinstance(dtype, pd.StringDtype):
        frame.add_words(name, cells_of(series.to_numpy(dtype=object), name))
    else:
        frame.add_unreadable(name, str(dtype), len(series))


def _add_numpy(frame: _core.Frame, name: str, array: NDArray[Any]) -> None:
    if array.dtype.kind == "b":
        frame.add_booleans(name, array.view(np.uint8))
    elif array.dtype.kind in "iuf":
        frame.add_numbers(name, readable(array))
    elif array.dtype.kind in "OUT":
        frame.add_words(name, cells_of(array, name))
    else:
        frame.add_unreadable(name, str(array.dtype), len(array))


# Samples

def sample_as(form: str, names: Sequence[str], columns: Sequence[Any], features: Sequence[str]) -> Any:
    """Drawn columns in the form that X had; features: of a bag, in order."""
    if form == "whole":
        return np.column_stack([np.array([int(word) for word in column]) for column in columns])
    if form in ("array", "matrix") and all(isinstance(column, np.ndarray) for column in columns):
        return np.column_stack(columns)
    if form in ("sparse", "bag"):
        rows = _sample_sparse(columns[0], features)
        return rows if form == "sparse" else rows.toarray()
    if form == "text":
        return [" ".join(word for word, count in bag.items() for _ in range(round(count)))
                for bag in columns[0]]
    try:
        import pandas as pd
    except ImportError:
        return dict(zip(names, columns))
    return pd.DataFrame(dict(zip(names, columns)))


def _sample_sparse(bags: Sequence[dict[str, float]], features: Sequence[str]) -> Any:
    place = {name: i for i, name in enumerate(features)}
    starts = np.cumsum([0, *(len(bag) for bag in bags)])
    places = np.array([place[name] for bag in bags for name in bag], dtype=np.int64)
    counts = np.array([count for bag in bags for count in bag.values()], dtype=np.float64)
    return sparse.csr_array((counts, places, starts), shape=(len(bags), len(features)))
