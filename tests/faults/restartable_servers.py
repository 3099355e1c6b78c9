"""Servers that can be killed and restarted, separate from the ones that all tests share."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import make_url
from support.databases import Database, MariaDB, PostgreSQL
from support.servers import Unavailable, postgresql_from_wheel, start_patiently, wait_for


class Restartable(ABC):
    """A server whose data is kept when it is killed."""

    url: str

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kanon_kill_"))
        self.folder.chmod(0o755)
        self.start()

    @abstractmethod
    def start(self) -> None:
        """Start the server on its data."""

    @abstractmethod
    def process(self) -> psutil.Process:
        """Return the server's main process."""

    def kill(self) -> None:
        """Kill the server and all its children at once, as a crash of the machine would."""
        server = self.process()
        family = [server, *server.children(recursive=True)]
        for one in family:
            one.kill()
        psutil.wait_procs(family, timeout=30)

    def remove(self) -> None:
        """Stop the server and remove its data."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    @abstractmethod
    def database(self) -> Database:
        """Return a database on this server."""


class RestartablePostgreSQL(Restartable):
    """PostgreSQL from its wheel."""

    _server: Any = None

    def start(self) -> None:
        if self._server is None:
            self._server = postgresql_from_wheel(self.folder, cleanup_mode=None)
        start_patiently(self._server)
        self.url = make_url(self._server.get_uri()).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)

    def process(self) -> psutil.Process:
        return psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))

    def database(self) -> Database:
        return _on(self, PostgreSQL)


class RestartableMariaDB(Restartable):
    """MariaDB from the system, with its default durability."""

    def start(self) -> None:
        server, install = shutil.which("mariadbd") or "/usr/sbin/mariadbd", shutil.which("mariadb-install-db")
        if not Path(server).exists() or install is None:
            raise Unavailable("no MariaDB server is installed")
        (self.folder / "tmp").mkdir(exist_ok=True)
        user = "root" if os.geteuid() == 0 else os.environ.get("USER", "nobody")
        options = ["--no-defaults", f"--datadir={self.folder}/data", f"--tmpdir={self.folder}/tmp", f"--user={user}"]
        if not (self.folder / "data").exists():
            made = [install, *options, "--auth-root-authentication-method=normal"]
            subprocess.run(made, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        running = [server, *options, f"--socket={self.folder}/s", "--skip-networking"]
        self._process = subprocess.Popen(running, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.folder / "s", self._process)
        self.url = f"mysql+pymysql://root@/mysql?unix_socket={self.folder}/s&ssl_disabled=true"

    def process(self) -> psutil.Process:
        return psutil.Process(self._process.pid)

    def kill(self) -> None:
        super().kill()
        self._process.wait()

    def database(self) -> Database:
        return _on(self, MariaDB)


def _on(server: Restartable, engine: type[PostgreSQL] | type[MariaDB]) -> Database:
    """Return a new database on a server that is not the shared one."""
    found = engine.__new__(engine)
    found.database = "kanon_kill"
    found.home_url = make_url(server.url)
    found.url = found.home_url.set(database=found.database).render_as_string(hide_password=False)
    found.at_home(engine.creation.format(found.database))
    return found


RESTARTABLE: dict[str, type[Restartable]] = {"postgresql": RestartablePostgreSQL, "mariadb": RestartableMariaDB}
