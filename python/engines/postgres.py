# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of our own: in a folder that goes away, on a Unix socket alone, by a user without rights."""
import glob
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager

NAME = os.path.join("/usr/lib/postgresql", "*", "bin")


def programs():
    """The folder of Debian's newest server, or None."""
    found = sorted(glob.glob(NAME), key=lambda path: int(path.split("/")[-2]))
    return found[-1] if found else None


@contextmanager
def server():
    """What psycopg is told to connect to it."""
    folder = tempfile.mkdtemp(prefix="pg")
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    if user:
        shutil.chown(folder, user)

    def run(name, *arguments):
        subprocess.run([os.path.join(programs(), name), "-D", os.path.join(folder, "data"), *arguments], check=True,
                       stdout=subprocess.DEVNULL, cwd=folder, user=user)

    try:
        run("initdb", "-U", "tests", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        run("pg_ctl", "-w", "-l", os.path.join(folder, "log"), "-o", f"-k {folder} -c listen_addresses='' -c fsync=off", "start")
        try:
            yield f"host={folder} user=tests dbname=postgres"
        finally:
            run("pg_ctl", "-w", "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put(connection, name, table):
    """A table of Arrow as one of the database."""
    import pyarrow as pa

    types = {pa.string(): "text", pa.large_string(): "text", pa.float64(): "float8", pa.int64(): "bigint", pa.bool_(): "boolean"}
    quoted = [f'"{field.name}" {types[field.type]}' for field in table.schema]
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE TABLE "{name}" ({", ".join(quoted)})')
        with cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
            for row in table.to_pylist():
                copy.write_row(list(row.values()))
    connection.commit()
