"""DataFrames through an in-memory DuckDB."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING

import duckdb

from kanon_sql.backends.duckdb_file import NO_BAR
from kanon_sql.errors import RequestError
from kanon_sql.sql.templates import quote

if TYPE_CHECKING:
    import pandas as pd


def load_frame(frame: pd.DataFrame, table: str) -> duckdb.DuckDBPyConnection:
    """A database in memory that holds the frame's columns as a table; its index stays behind."""
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
    """One more frame as a table of a database in memory."""
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
    """The table as a frame; unchanged columns have the types they had, where those can hold them."""
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
    """Every column has a name of its own, whatever its case, that is text."""
    odd = [name for name in frame.columns if not isinstance(name, str)]
    if odd:
        raise RequestError(f"{len(odd)} columns of the DataFrame have names that are no text; rename them")
    names = Counter(name.casefold() for name in frame.columns)
    twice = [name for name in frame.columns if names[name.casefold()] > 1]
    if twice:
        raise RequestError(f"the DataFrame has columns that differ by case only, or not at all: {', '.join(map(repr, twice))}; rename them")
    if frame.columns.empty:
        raise RequestError("the DataFrame has no column")
