"""Row-level security of PostgreSQL: a release of only the visible rows is reported as such; in place, hidden rows are never lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database, Server
from support.inventory import as_user

import kanon_sql as ks
from kanon_sql.cli import run

pytestmark = pytest.mark.engines("postgresql")
HIDDEN = "row-level security of table t is in force ({}): the run reads only the rows that pass"


class Office:
    """A table t with forty rows, and users of a server: clerk reads through policies, boss owns the table, auditor sees everything."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.clerk, self.boss, self.auditor = (f"{name}_{server.database[-8:]}" for name in ("clerk", "boss", "auditor"))
        for name in (self.clerk, self.boss, self.auditor):
            server.at_home(f"create role {name} login password 'pw'{' bypassrls' if name == self.auditor else ''}")
            server.execute(f"grant all on schema public to {name}")
        server.execute("create table t (id integer, age integer)")
        server.execute("insert into t values " + ", ".join(f"({n}, {20 + n % 2})" for n in range(40)))
        server.execute(f"alter table t owner to {self.boss}")
        server.execute(f"grant select on t to {self.clerk}, {self.auditor}")

    def secure(self, *, force: bool = False) -> None:
        """Enable row security with two policies for everyone or the clerk, and others that do not affect reading or this user."""
        for statement in (
            "alter table t enable row level security",
            *(["alter table t force row level security"] if force else []),
            "create policy few on t using (id < 10)",
            f"create policy more on t for select to {self.clerk} using (id < 20)",
            "create policy writers on t for insert with check (true)",
            f"create policy others on t for select to {self.auditor} using (true)",
        ):
            self.server.execute(statement)

    def anonymize(self, user: str, **changes: Any) -> ks.AnonymizeReport:
        """Run as a user into a new table."""
        self.server.drop("t_anon")
        return ks.anonymize(as_user(self.server, user), {**policy(), **changes})

    def close(self) -> None:
        for name in (self.clerk, self.boss, self.auditor):
            self.server.execute(f"drop owned by {name} cascade")
            self.server.at_home(f"drop role {name}")


def policy(**publish: Any) -> dict[str, Any]:
    return {
        "table": "t",
        "publish": publish or {"into": "t_anon"},
        "privacy": {"k": 3},
        "columns": {"id": {"role": "insensitive", "accept_unique": True}, "age": {"role": "quasi_identifier", "hierarchy": "suppress"}},
    }


@pytest.fixture
def office(backend: Database) -> Iterator[Office]:
    assert isinstance(backend, Server)
    made = Office(backend)
    yield made
    made.close()


def hidden(report: ks.AnonymizeReport) -> list[str]:
    return [warning for warning in report.warnings if "row-level security" in warning]


def test_a_release_of_only_the_visible_rows_is_reported(office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hidden(office.anonymize(office.clerk)) == []
    office.secure()
    report = office.anonymize(office.clerk)
    assert (report.published_rows, hidden(report)) == (20, [HIDDEN.format("2 policies")])
    assert report.to_dict()["warnings"] == list(report.warnings)
    dry = ks.anonymize(as_user(office.server, office.clerk), policy(), dry_run=True)
    assert hidden(dry) == hidden(report)
    path = tmp_path / "policy.yml"
    path.write_text(json.dumps(policy(into="t_anon", replace=True)))
    office.server.drop("t_anon")
    assert run(["anonymize", as_user(office.server, office.clerk), "--policy", str(path), "--json"]) == 0
    assert "in force (2 policies)" in json.loads(capsys.readouterr().out)["warnings"][0]


def test_the_owner_and_users_who_bypass_it_see_every_row(office: Office) -> None:
    office.secure()
    for user in (office.boss, office.auditor):
        report = office.anonymize(user)
        assert (report.published_rows, hidden(report)) == (40, [])
    office.server.drop("t_anon")
    assert hidden(ks.anonymize(office.server.url, policy())) == []


def test_row_security_that_is_forced_hides_rows_from_the_owner(office: Office) -> None:
    office.secure(force=True)
    report = office.anonymize(office.boss)
    assert (report.published_rows, hidden(report)) == (10, [HIDDEN.format("1 policy")])
    assert hidden(office.anonymize(office.auditor)) == []


def test_without_a_policy_no_row_is_seen(office: Office) -> None:
    office.server.execute("alter table t enable row level security")
    with pytest.raises(ks.RequestError, match="table t is empty") as raised:
        office.anonymize(office.clerk)
    assert HIDDEN.format("0 policies") in str(raised.value)


def test_a_view_reads_with_the_permissions_of_its_owner_or_its_invoker(office: Office) -> None:
    office.secure()
    server = office.server
    for name, owner, options in (
        ("owned", office.boss, ""),
        ("invoked", office.boss, "with (security_invoker = true)"),
        ("clerks", office.clerk, ""),
    ):
        server.execute(f"create view {name} {options} as select * from t")
        server.execute(f"alter view {name} owner to {owner}")
        server.execute(f"create view over_{name} as select * from {name}")
        server.execute(f"alter view over_{name} owner to {office.auditor}")
        server.execute(f"grant select on {name}, over_{name} to public")
    for name, user, rows, policies in (
        ("owned", office.clerk, 40, None),
        ("over_owned", office.clerk, 40, None),
        ("invoked", office.clerk, 20, "2 policies"),
        ("over_invoked", office.clerk, 20, "2 policies"),
        ("invoked", office.auditor, 40, None),
        ("clerks", office.auditor, 20, "2 policies"),
        ("over_clerks", office.auditor, 20, "2 policies"),
    ):
        report = office.anonymize(user, table=name)
        expected = [HIDDEN.format(policies)] if policies else []
        assert (name, report.published_rows, hidden(report)) == (name, rows, expected)


def test_a_query_and_a_condition_are_covered(office: Office) -> None:
    office.secure()
    query = {"query": "select t.id, t.age from t join (select 1 as one) as x on true"}
    for changes in ({"table": query}, {"where": "id >= 0"}):
        report = office.anonymize(office.clerk, **changes)
        assert (report.published_rows, len(hidden(report))) == (20, 1)


def test_in_place_nothing_allows_rows_to_be_hidden(office: Office) -> None:
    office.secure(force=True)
    before = Counter(office.server.rows("t"))
    choices: list[dict[str, Any]] = [{"yes": True}, {"dry_run": True}]
    for allowed in ([], ["t", "few", "row_security"]):
        for options in choices:
            given = policy(in_place=True, allow_loss=allowed)
            with pytest.raises(ks.RequestError, match="table t hides rows from this user by its row security"):
                ks.anonymize(as_user(office.server, office.boss), given, **options)
    assert Counter(office.server.rows("t")) == before


def test_a_target_whose_rows_are_hidden_is_not_replaced(office: Office) -> None:
    given = policy(into="t_anon", replace=True)
    ks.anonymize(as_user(office.server, office.boss), given)
    for statement in ("enable row level security", "force row level security"):
        office.server.execute(f"alter table t_anon {statement}")
    with pytest.raises(ks.RequestError, match="table t_anon hides rows from this user by its row security"):
        ks.anonymize(as_user(office.server, office.boss), given)
    assert len(office.server.rows("t_anon")) == 40


def test_row_security_switched_on_during_a_run_in_place_stops_it(office: Office) -> None:
    def secure(name: str, done: Any) -> None:
        if name == "lock" and done is None:
            office.secure(force=True)

    with pytest.raises(ks.KanonError, match="policy few was added"):
        ks.anonymize(as_user(office.server, office.boss), policy(in_place=True), yes=True, listener=secure)
    assert len(office.server.rows("t")) == 40
