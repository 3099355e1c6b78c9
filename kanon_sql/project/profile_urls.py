"""Build the connection URL of one target of a profile, from dbt's keys or from a URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from kanon_sql.errors import RequestError

SINGLE_WRITER = ("duckdb", "sqlite")  # tables are processed one after another
_LIBPQ_OPTIONS = ("sslmode", "sslcert", "sslkey", "sslrootcert", "connect_timeout", "application_name", "keepalives_idle")
_FILE_ENGINES = ("duckdb", "sqlite")


@dataclass(frozen=True)
class Output:
    """The connection of one target, and the keys of the target that are ignored."""

    engine: str
    url: str = field(repr=False)
    password: str = field(default="", repr=False)
    ignored: tuple[str, ...] = ()


def read_output(kind: str, output: Mapping[str, Any], *, where: str, folder: Path) -> Output:
    """Return the connection of a target of a supported type; file paths are relative to the project."""
    return TYPES[kind](_Keys(kind, output, where), folder)


class _Keys:
    """The keys of a target; each is taken once, and the remaining keys are ignored."""

    def __init__(self, kind: str, values: Mapping[str, Any], where: str) -> None:
        self.kind, self.where = kind, where
        self._remaining = dict(values)

    def take(self, *names: str, default: str | None = None) -> str:
        """Return the value of the first of these keys that is set, or the default."""
        found = [self._remaining.pop(name) for name in names if name in self._remaining]
        if not found or found[0] is None:
            if default is None:
                raise RequestError(f"{self.where}: the key {names[0]!r} is missing. Add it")
            return default
        return str(found[0])

    def optional(self, names: tuple[str, ...]) -> dict[str, str]:
        """Return the values of those keys that are set."""
        return {name: str(self._remaining.pop(name)) for name in names if self._remaining.get(name) is not None}

    def ignored(self) -> tuple[str, ...]:
        """Return the keys that were not taken."""
        return tuple(map(str, self._remaining))


def _file_output(keys: _Keys, folder: Path) -> Output:
    """Return the connection of DuckDB or SQLite; dbt also calls the file `path`."""
    path = keys.take("path", "database", "file")
    if path.startswith("md:"):
        raise RequestError(f"{keys.where}.path: MotherDuck is not supported. Set the path of a file")
    return Output(keys.kind, _file_url(keys, keys.kind, path, folder), ignored=keys.ignored())


def _file_url(keys: _Keys, engine: str, path: str, folder: Path) -> str:
    if path in ("", ":memory:"):
        raise RequestError(f"{keys.where}: a database in memory does not exist after the command. Set the path of a file")
    return f"{engine}:///{folder / Path(path).expanduser()}"


def _postgres_output(keys: _Keys, folder: Path) -> Output:  # noqa: ARG001 (all types have one signature)
    """Return the connection of PostgreSQL from the keys of dbt-postgres; `schema` applies to names without a schema."""
    password = keys.take("password", "pass", default="")
    host = keys.take("host", "server", default="localhost")
    is_socket = host.startswith("/")  # the folder of a Unix socket
    address = _address(keys, password, "" if is_socket else host, default_port="5432", databases=("dbname", "database"))
    options = []
    path = keys.take("search_path", default="")
    schema = keys.take("schema", default="")
    if path or schema:
        options.append("-csearch_path=" + _escaped(path or '"' + schema.replace('"', '""') + '"'))
    if role := keys.take("role", default=""):
        options.append("-crole=" + _escaped(role))
    query = keys.optional(_LIBPQ_OPTIONS) | ({"host": host} if is_socket else {}) | ({"options": " ".join(options)} if options else {})
    url = f"postgresql+psycopg://{address}" + (f"?{urlencode(query)}" if query else "")
    return Output("postgresql", url, password, keys.ignored())


def _escaped(setting: str) -> str:
    """Return a value escaped for libpq's `options`, where a space ends a value."""
    return setting.replace("\\", "\\\\").replace(" ", "\\ ")


def _mysql_output(keys: _Keys, folder: Path) -> Output:  # noqa: ARG001
    """Return the connection of MariaDB or MySQL, where a schema is a database."""
    password = keys.take("password", "pass", default="")
    host = keys.take("host", "server", default="localhost")
    address = _address(keys, password, host, default_port="3306", databases=("database", "dbname", "schema"))
    socket = keys.optional(("unix_socket",))
    return Output("mariadb", f"mysql+pymysql://{address}" + (f"?{urlencode(socket)}" if socket else ""), password, keys.ignored())


def _address(keys: _Keys, password: str, host: str, *, default_port: str, databases: tuple[str, ...]) -> str:
    """Return user:password@host:port/database, each part quoted."""
    user, port = keys.take("user", "username"), keys.take("port", default=default_port)
    if not port.isdigit():
        raise RequestError(f"{keys.where}.port: the port is not a whole number. Set a number, for example {default_port}")
    secret = f":{quote(password, safe='')}" if password else ""
    address = f"[{host}]" if ":" in host else quote(host, safe="")
    return f"{quote(user, safe='')}{secret}@{address}:{port}/{quote(keys.take(*databases), safe='')}"


def _url_output(keys: _Keys, folder: Path) -> Output:
    """Return the connection of a URL, as other commands accept it."""
    url = keys.take("url")
    engine = url.partition(":")[0].partition("+")[0]
    password = ""
    if engine in _FILE_ENGINES and url.startswith(f"{engine}:///"):
        url = _file_url(keys, engine, url.removeprefix(f"{engine}:///"), folder)
    else:
        try:
            password = unquote(urlsplit(url).password or "")
        except ValueError:
            raise RequestError(f"{keys.where}.url: the URL cannot be read. Write it like postgresql+psycopg://user@host/database") from None
    return Output({"postgres": "postgresql", "mysql": "mariadb"}.get(engine, engine), url, password, keys.ignored())


TYPES: dict[str, Callable[[_Keys, Path], Output]] = {
    "duckdb": _file_output,
    "sqlite": _file_output,
    "postgres": _postgres_output,
    "postgresql": _postgres_output,
    "mariadb": _mysql_output,
    "mysql": _mysql_output,
    "url": _url_output,
}
