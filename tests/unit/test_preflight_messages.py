"""Messages about objects that would be dropped: singular and plural agree, and advice is only given where it helps."""

from __future__ import annotations

import pytest

from kanon_sql.errors import RequestError
from kanon_sql.stages.replace.change import Change, DependentObject
from kanon_sql.stages.replace.preflight import accept
from kanon_sql.tables import Column, TableName

COLUMNS = tuple(Column(name, "integer", "integer") for name in ("age", "day", "zip"))
CHANGE = Change(TableName(("t",)), COLUMNS, COLUMNS, frozenset({"age", "day", "zip"}))
VIEW = DependentObject("view", "v", frozenset({"age"}))
KEY = DependentObject("partition_key", "zip", frozenset({"zip"}))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"age"}, "view v reads column age, which changes\n"),
        ({"age", "zip"}, "view v reads columns age and zip, which change\n"),
        ({"age", "day", "zip"}, "view v reads columns age, day and zip, which change\n"),
    ],
)
def test_columns_are_listed_in_agreement(columns: set[str], message: str) -> None:
    with pytest.raises(RequestError) as raised:
        accept(CHANGE, [DependentObject("view", "v", frozenset(columns))], (), ())
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("objects", "advice"),
    [
        ([VIEW], "To continue without these objects, add --allow-loss v (in a policy: publish: {allow_loss: [v]})"),
        ([VIEW, KEY], "To continue without the objects that may be dropped, add --allow-loss v"),
        ([KEY], "decides where rows are stored and cannot change"),
    ],
)
def test_advice_names_what_may_be_dropped(objects: list[DependentObject], advice: str) -> None:
    with pytest.raises(RequestError) as raised:
        accept(CHANGE, objects, (), ())
    assert advice in str(raised.value).splitlines()[-1]
