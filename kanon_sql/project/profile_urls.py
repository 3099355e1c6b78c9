"""Turns one output of a profile, in dbt's words or as a URL, into the URL that a connection is opened with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from kanon_sql.errors import RequestError

ONE_AT_A_TIME = ("duckdb", "sqlite")  # one process, one writer: tables take turns
_PASSED_ON = ("sslmode", "sslcert", "sslkey", "sslrootcert", "connect_timeout", "application_name", "keepalives_idle")
_FILES = ("duckdb", "sqlite")


@dataclass(frozen=True)
class Output:
    """One output as a URL; keys that mean nothing here are named."""

    engine: str
    url: str = field(repr=False)
    password: str = field(default="", repr=False)
    ignored: tuple[str, ...] = ()


def read_output(kind: str, output: Mapping[str, Any], *, where: str, folder: Path) -> Output:
    """The output of a type we know; files are found relative to the project."""
    return TYPES[kind](_Keys(kind, output, where), folder)


class _Keys:
    """The keys of an output, each taken once; what is left at the end is ignored by name."""

    def __init__(self, kind: str, given: Mapping[str, Any], where: str) -> None:
        self.kind, self.where = kind, where
        self._left = dict(given)

    def take(self, *names: str, default: str | None = None) -> str:
        """The value under the first of these names that is given."""
        found = [self._left.pop(name) for name in names if name in self._left]
        if not found or found[0] is None:
            if default is None:
                raise RequestError(f"{self.where}: {names[0]} is missing")
            return default
        return str(found[0])

    def optional(self, names: tuple[str, ...]) -> dict[str, str]:
        """The values of these names that are given."""
        return {name: str(self._left.pop(name)) for name in names if self._left.get(name) is not None}

    def ignored(self) -> tuple[str, ...]:
        """The names that nobody took."""
        return tuple(map(str, self._left))


def _of_file(keys: _Keys, folder: Path) -> Output:
    """DuckDB and SQLite: `path`, which dbt names so too."""
    path = keys.take("path", "database", "file")
    if path.startswith("md:"):
        raise RequestError(f"{keys.where}.path: MotherDuck is not supported; name a file")
    return Output(keys.kind, _file_url(keys, keys.kind, path, folder), ignored=keys.ignored())


def _file_url(keys: _Keys, engine: str, path: str, folder: Path) -> str:
    if path in ("", ":memory:"):
        raise RequestError(f"{keys.where}: a database in memory is gone after each command; name a file")
    return f"{engine}:///{folder / Path(path).expanduser()}"


def _of_postgres(keys: _Keys, folder: Path) -> Output:  # noqa: ARG001 (all kinds are called alike)
    """PostgreSQL in the words of dbt-postgres; `schema` is where names without one are looked up and made."""
    password = keys.take("password", "pass", default="")
    host = keys.take("host", "server", default="localhost")
    is_socket = host.startswith("/")  # the folder of a local server's socket
    place = _place(keys, password, "" if is_socket else host, default_port="5432", databases=("dbname", "database"))
    options = []
    path = keys.take("search_path", default="")
    schema = keys.take("schema", default="")
    if path or schema:
        options.append("-csearch_path=" + _escaped(path or '"' + schema.replace('"', '""') + '"'))
    if role := keys.take("role", default=""):
        options.append("-crole=" + _escaped(role))
    query = keys.optional(_PASSED_ON) | ({"host": host} if is_socket else {}) | ({"options": " ".join(options)} if options else {})
    url = f"postgresql+psycopg://{place}" + (f"?{urlencode(query)}" if query else "")
    return Output("postgresql", url, password, keys.ignored())


def _escaped(setting: str) -> str:
    """A setting as libpq's options take it: a space would end it."""
    return setting.replace("\\", "\\\\").replace(" ", "\\ ")


def _of_mysql(keys: _Keys, folder: Path) -> Output:  # noqa: ARG001
    """MariaDB and MySQL: a schema is a database there."""
    password = keys.take("password", "pass", default="")
    host = keys.take("host", "server", default="localhost")
    place = _place(keys, password, host, default_port="3306", databases=("database", "dbname", "schema"))
    socket = keys.optional(("unix_socket",))
    return Output("mariadb", f"mysql+pymysql://{place}" + (f"?{urlencode(socket)}" if socket else ""), password, keys.ignored())


def _place(keys: _Keys, password: str, host: str, *, default_port: str, databases: tuple[str, ...]) -> str:
    """user:password@host:port/database, each part quoted."""
    user, port = keys.take("user", "username"), keys.take("port", default=default_port)
    if not port.isdigit():
        raise RequestError(f"{keys.where}.port: must be a whole number")
    secret = f":{quote(password, safe='')}" if password else ""
    named = f"[{host}]" if ":" in host else quote(host, safe="")
    return f"{quote(user, safe='')}{secret}@{named}:{port}/{quote(keys.take(*databases), safe='')}"


def _of_url(keys: _Keys, folder: Path) -> Output:
    """Our own kind: the URL that the other commands take."""
    url = keys.take("url")
    engine = url.partition(":")[0].partition("+")[0]
    password = ""
    if engine in _FILES and url.startswith(f"{engine}:///"):
        url = _file_url(keys, engine, url.removeprefix(f"{engine}:///"), folder)
    else:
        try:
            password = unquote(urlsplit(url).password or "")
        except ValueError:
            raise RequestError(f"{keys.where}.url: cannot be read; write for example postgresql+psycopg://user@host/database") from None
    return Output({"postgres": "postgresql", "mysql": "mariadb"}.get(engine, engine), url, password, keys.ignored())


TYPES: dict[str, Callable[[_Keys, Path], Output]] = {
    "duckdb": _of_file,
    "sqlite": _of_file,
    "postgres": _of_postgres,
    "postgresql": _of_postgres,
    "mariadb": _of_mysql,
    "mysql": _of_mysql,
    "url": _of_url,
}
