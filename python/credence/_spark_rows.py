# SPDX-License-Identifier: Apache-2.0
"""Where the rows of a data frame are read: by Spark, or, where the frame is nothing but Parquet files, by the workers.

Spark turns columns into rows and these into columns again before Python sees them. A worker that opens the file itself
is spared both, which is most of the time of a fit.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Union
from urllib.parse import unquote, urlparse

import pyarrow as pa
from pyspark.sql import functions as F

from credence import partial

Work = Callable[[Iterator[pa.RecordBatch], int], list[bytes]]
Piece = tuple[str, int, int]  # of a file: its path, the number of a row group, how many rows that has

COLUMNS = "partition int, place int, part binary, why string"
PARTS = pa.schema([("partition", pa.int32()), ("place", pa.int32()), ("part", pa.binary()), ("why", pa.string())])
PLAIN = ("boolean", "byte", "short", "integer", "long", "float", "double", "string")  # the same in Parquet, Spark and Arrow
FOOTERS = 64  # that a task reads at least, as each takes a millisecond and a task a hundred
TASK = 128 << 20  # bytes that a task reads at most, if a row group is no larger: as Spark's own


def collected(parts: Iterable[Any]) -> list[Any]:
    """Rows in the order of partitions and places, or our own message."""
    rows = sorted(parts, key=lambda row: (row["partition"], row["place"]))
    for row in rows:
        if row["why"]:
            raise ValueError(row["why"])
    return rows


def _said(number: int, work: Callable[[], list[bytes]], where: str = "") -> pa.RecordBatch:
    """What a task has to say of its partition."""
    try:
        parts, why = work(), None
    except (TypeError, ValueError) as error:  # the data: no other try would change it
        parts, why = [b""], f"{error}{where}"
    return pa.RecordBatch.from_pydict({"partition": [number] * len(parts), "place": list(range(len(parts))),
                                       "part": parts, "why": [why] * len(parts)}, schema=PARTS)


class Frame:
    """Rows as Spark hands them over."""

    counts: list[int] | None = None  # of rows by partition: nobody knows before they were read

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def bytes_of(self, work: Work, frame: Any = None) -> Any:
        """A frame of (partition, place, part): what `work` makes of each partition, empty ones included."""
        def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            from pyspark import TaskContext

            context = TaskContext.get()
            number = context.partitionId() if context is not None else 0
            yield _said(number, lambda: work(batches, number))

        return (self.frame if frame is None else frame).mapInArrow(run, COLUMNS)

    def partitions(self) -> int:
        """Up to the last one that has a row; asked in this way, as Spark Connect has no `rdd`."""
        last = self.frame.select(F.spark_partition_id().alias("number")).agg(F.max("number")).collect()[0][0]
        return 1 + int(last or 0)

    def profiles(self) -> list[bytes]:
        """Of the first partitions: as many as one would look at of a file."""
        def profiled(rows: int) -> Any:
            return self.bytes_of(_profile, self.frame.filter(F.monotonically_increasing_id() % F.lit(2 ** 33) < F.lit(rows)))

        # Mostly so many of the first partition are enough; the most that a profile wants are so many, as a cell has a byte at least.
        few, most = 2 * partial.SLICE, 2 ** 22 // max(1, len(self.frame.columns)) + partial.SLICE
        found = collected(profiled(few).take(1))
        if partial.is_enough(bytes(row["part"]) for row in found):
            return [bytes(row["part"]) for row in found]
        wanted = 1
        while True:
            found = collected(profiled(most).take(wanted))
            profiles = [bytes(row["part"]) for row in found]
            if len(found) < wanted or partial.is_enough(profiles):
                return profiles
            wanted *= 64

    def sample(self, numbers: Sequence[int], places: Sequence[Sequence[int]]) -> pa.Table:
        """The rows at these places: Spark picks them, for its numbers of rows begin anew, 2^33 apart, in every partition."""
        wanted = [(number << 33) + place for number, own in zip(numbers, places) for place in own]
        name = "__credence_row"
        if not wanted:
            return self.frame.limit(0).toArrow()
        listed = ", ".join(map(str, wanted))
        picked = self.frame.withColumn(name, F.monotonically_increasing_id()).filter(F.expr(f"`{name}` IN ({listed})"))
        return picked.toArrow().sort_by(name).drop_columns([name])


def _profile(batches: Iterator[pa.RecordBatch], _: int) -> list[bytes]:
    """The profile of a partition. All rows are taken, as a worker that leaves some is not used again."""
    found = [partial.profile(batches)]
    for _batch in batches:
        pass
    return found


class Files:
    """Rows of Parquet files, which the workers open themselves; in the order of the files, cut at row groups."""

    def __init__(self, session: Any, schema: pa.Schema, tasks: list[list[Piece]]) -> None:
        self.session, self.schema, self.tasks = session, schema, tasks
        self.counts = [sum(rows for _, _, rows in task) for task in tasks]

    def bytes_of(self, work: Work) -> Any:
        tasks, schema = self.tasks, self.schema

        def made(number: int) -> pa.RecordBatch:
            path, group, _ = tasks[number][0]
            return _said(number, lambda: work(_read(tasks[number], schema), number),
                         f" (partition {number} begins with row group {group} of {path})")

        return _for_each(self.session, len(tasks), made)

    def partitions(self) -> int:
        return len(self.tasks)

    def profiles(self) -> list[bytes]:
        """One, of all files as if they were one: it reads no more than it looks at."""
        pieces, schema = [piece for task in self.tasks for piece in task], self.schema
        found = _for_each(self.session, 1, lambda number: _said(number, lambda: [partial.profile(_read(pieces, schema))]))
        return [bytes(row["part"]) for row in collected(found.collect())]


Rows = Union[Frame, Files]


def rows_of(frame: Any) -> Rows:
    """The shortest way to the rows of a frame that gives the same ones."""
    paths = _paths(frame)
    if not paths:
        return Frame(frame)
    from pyspark.sql.pandas.types import to_arrow_schema

    session, schema = frame.sparkSession, to_arrow_schema(frame.schema)
    cores = max(1, session.sparkContext.defaultParallelism)
    share = max(FOOTERS, -(-len(paths) // (16 * cores)))
    shares = [paths[i:i + share] for i in range(0, len(paths), share)]
    found = collected(_for_each(session, len(shares), lambda number: _said(
        number, lambda: [_footers(shares[number], schema)])).collect())
    pieces = [piece for row in found for piece in json.loads(bytes(row["part"]))]
    # A file that a worker cannot open, or that differs from what Spark took the schema of, is a thing for Spark.
    if not pieces or None in pieces:
        return Frame(frame)
    return Files(session, schema, _dealt(pieces, cores))


def _paths(frame: Any) -> list[str]:
    """The Parquet files of this machine, or of a disk that all share, that a frame is; none where anything was done to them."""
    plan = getattr(frame, "_jdf", None)  # Spark Connect has no such
    if plan is None or any(field.dataType.typeName() not in PLAIN for field in frame.schema.fields):
        return []
    plan = plan.queryExecution().optimizedPlan()
    if plan.nodeName() == "Project":  # of columns as they are
        listed = plan.projectList()
        if any(listed.apply(i).nodeName() != "AttributeReference" for i in range(listed.size())):
            return []
        plan = plan.child()
    if not plan.nodeName().startswith("LogicalRelation"):
        return []
    relation = plan.relation()
    if (relation.getClass().getSimpleName() != "HadoopFsRelation" or not relation.partitionSchema().isEmpty()
            or relation.fileFormat().getClass().getSimpleName() != "ParquetFileFormat"):
        return []
    found = [urlparse(path) for path in frame.inputFiles()]
    return sorted(unquote(path.path) for path in found) if all(path.scheme in ("", "file") for path in found) else []


def _for_each(session: Any, count: int, made: Callable[[int], pa.RecordBatch]) -> Any:
    """Parts by tasks that need nothing but their number."""
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield made(number)

    return session.range(0, count, 1, count).mapInArrow(run, COLUMNS)


def _footers(paths: Sequence[str], schema: pa.Schema) -> bytes:
    """The row groups of these files as JSON: path, number, rows and bytes; null for a file with other columns, or none."""
    import pyarrow.parquet as pq

    found: list[list[Any] | None] = []
    for path in paths:
        try:
            file = pq.ParquetFile(path)
        except (OSError, pa.ArrowException):
            return b"[null]"
        own = file.schema_arrow
        if any(own.get_field_index(field.name) < 0 or not own.field(field.name).type.equals(field.type) for field in schema):
            return b"[null]"
        groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
        found += [[path, i, group.num_rows, group.total_byte_size] for i, group in enumerate(groups)]
    return json.dumps(found).encode()


def _dealt(pieces: Iterable[tuple[str, int, int, int]], cores: int) -> list[list[Piece]]:
    """Neighbours together: enough tasks for all cores, none of them larger than it need be."""
    pieces = list(pieces)
    most = min(TASK, sum(size for _, _, _, size in pieces) // (4 * cores))
    tasks: list[list[Piece]] = []
    filled = most
    for path, group, rows, size in pieces:
        if filled + size > most:
            tasks.append([])
            filled = 0
        tasks[-1].append((path, group, rows))
        filled += size
    return tasks


def _read(pieces: Iterable[Piece], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq

    for path, group, rows in pieces:
        if rows:
            yield from pq.ParquetFile(path).iter_batches(partial.SLICE * 8, [group], schema.names, use_threads=False)
