"""DataFrames through an in-memory DuckDB."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING

import duckdb

from kanon_sql.backends.duckdb_file import NO_BAR
from kanon_sql.common.spelling import many
from kanon_sql.errors import RequestError
from kanon_sql.sql.templates import quote

if TYPE_CHECKING:
    import pandas as pd


def load_frame(frame: pd.DataFrame, table: str) -> duckdb.DuckDBPyConnection:
    """Return a database in memory that holds the columns of a frame as a table, without its index."""
    _require_plain_columns(frame)
    connection = duckdb.connect()
    try:
        connection.execute(NO_BAR)
        _create(connection, frame, table)
    except duckdb.Error:
        unreadable = [f"{name!r} ({frame[name].dtype})" for name in frame.columns if not _is_readable(frame[[name]])]
        connection.close()
        raise RequestError(f"DuckDB cannot read columns of the DataFrame: {', '.join(unreadable)}; convert or drop them") from None
    return connection


def add_frame(connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame, table: str) -> None:
    """Add another frame as a table of a database in memory."""
    _require_plain_columns(frame)
    try:
        _create(connection, frame, table)
    except duckdb.Error:
        raise RequestError("DuckDB cannot read a column of the released DataFrame; convert or drop it") from None


def _create(connection: duckdb.DuckDBPyConnection, frame: pd.DataFrame, table: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what pandas deprecates is the driver's to change
        connection.from_df(frame).create(quote(table, "duckdb"))


def _is_readable(frame: pd.DataFrame) -> bool:
    with duckdb.connect() as connection:
        try:
            _create(connection, frame, "readable")
        except duckdb.Error:
            return False
    return True


def read_frame(connection: duckdb.DuckDBPyConnection, table: str, like: pd.DataFrame, unchanged: list[str]) -> pd.DataFrame:
    """Return the table as a frame; unchanged columns keep their types where these can hold the values."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        relation = connection.table(quote(table, "duckdb"))
        frame: pd.DataFrame = relation.df()
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    for name in unchanged:
        if types[name] == "DATE" and like[name].dtype == object:
            frame[name] = [None if day is None else day for day in frame[name].dt.date.where(frame[name].notna(), None)]
            continue
        try:
            frame[name] = frame[name].astype(like[name].dtype)
        except (TypeError, ValueError):
            continue  # the type it has now is the nearest
    return frame


def _require_plain_columns(frame: pd.DataFrame) -> None:
    """Raise an error unless all column names are text and differ by more than case."""
    odd = [name for name in frame.columns if not isinstance(name, str)]
    if odd:
        raise RequestError(f"the DataFrame has {many(len(odd), 'column')} with a name that is not text; rename them")
    names = Counter(name.casefold() for name in frame.columns)
    twice = [name for name in frame.columns if names[name.casefold()] > 1]
    if twice:
        raise RequestError(
            f"the DataFrame has column names that are equal or differ only by case: {', '.join(map(repr, twice))}; rename them"
        )
    if frame.columns.empty:
        raise RequestError("the DataFrame has no column")
