"""The server is killed in any stage of a run and restarted: the complete old table or the complete new one."""

from __future__ import annotations

import gc
import logging
import os
import warnings
from collections.abc import Iterator

import pytest
from faults.injection import Moment, Trap, trapped
from faults.outcome_checks import check_message, check_outcome, run_without_faults
from faults.restartable_servers import RESTARTABLE, Restartable
from faults.sample_database import SampleDatabase
from faults.selection import ALL_FAULTS, COUNTS
from support.servers import REQUIRED, Unavailable

import kanon_sql as ks

pytestmark = pytest.mark.timeout(1800)
QUICK = ("write", "swap", "scrub")


@pytest.fixture(params=list(RESTARTABLE))
def server(request: pytest.FixtureRequest) -> Iterator[Restartable]:
    """Return a server that only this test uses."""
    try:
        started = RESTARTABLE[request.param]()
    except Unavailable as reason:
        if os.environ.get(REQUIRED):
            pytest.fail(f"{request.param} is required: {reason}")
        pytest.skip(f"{request.param}: {reason}")
    yield started
    started.remove()


def test_a_server_killed_in_every_stage(server: Restartable) -> None:
    logging.disable(logging.CRITICAL)  # a record of SQLAlchemy's pool would hold the dead connection until the end of the session
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # PyMySQL leaves the socket of a dead server to the garbage collector
            kill_in_every_stage(server)
            gc.collect()
    finally:
        logging.disable(logging.NOTSET)


def kill_in_every_stage(server: Restartable) -> None:
    sample = SampleDatabase(server.database())
    faultless = run_without_faults(sample)
    stages = list(dict.fromkeys(step.stage for step in faultless.steps if ALL_FAULTS or step.stage in QUICK))
    moments: tuple[Moment, ...] = ("before", "after") if ALL_FAULTS else ("after",)
    outcomes = set()
    for stage in stages:
        steps = [step for step in faultless.steps if step.stage == stage]
        for moment in moments:
            sample.set_up()
            trap = Trap(steps[len(steps) // 2].number, moment, lambda backend, what: server.kill())
            with trapped(trap):
                try:
                    sample.run()
                except ks.KanonError as error:
                    check_message(error)
            assert trap.sprung
            server.start()
            outcomes.add(check_outcome(sample, faultless))
            COUNTS[sample.database.name, "server kill -9"] += 1
    assert outcomes == {"published", "as it was"}
