"""The template language of YAML values, its limits, and the escaped forms of secrets that are masked."""

from __future__ import annotations

import datetime
import html
import json
import random
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus
from xml.etree import ElementTree

import pytest
import yaml
from sqlalchemy import URL

from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import RequestError
from kanon_sql.project.rendering import Renderer
from kanon_sql.project.scrubbing import Secrets
from kanon_sql.project.variables import read_variables

CANARY = "canary-of-the-environment"
VARIABLES = {"k": 5, "limits": {"rows": [1, 2]}, "since": datetime.date(2026, 1, 1)}
RENDERER = Renderer({"REGION": "north", "OTHER": CANARY, "KANON_ENV_SECRET_P": CANARY}, VARIABLES)


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("{{ var('k') }}", 5),
        ("{{- var('k') -}}", 5),
        ("{{ var('k') * 2 + 1 }}", 11),
        ("t_{{ env_var('REGION') }}_{{ var('k') }}", "t_north_5"),
        ("{{ env_var('PORT', '5433') | as_number }}", 5433),
        ("{{ env_var('FLAG', 'True') | as_bool }}", True),
        ("{{ '[1, 2]' | as_native }}", [1, 2]),
        ("{{ var('k') | as_text }}", "5"),
        ("{{ var('limits').rows[-1] }}", 2),
        ("{{ var('limits')['rows'] }}", [1, 2]),
        ("{{ var('since') }}", datetime.date(2026, 1, 1)),
        ("since {{ var('since') }}", "since 2026-01-01"),
        ("{{ var('missing', none) | default('x') }}", "x"),
        ("{{ env_var('EMPTY', '') | default('x', true) }}", "x"),
        ("{{ ['a', 'b'] | join('_') | upper }}", "A_B"),
        ("{{ 'a b' | replace(' ', '_') ~ var('k') }}", "a_b5"),
        ("{{ 'big' if var('k') > 3 else 'small' }}", "big"),
        ("{% if env_var('REGION') == 'south' %}s{% elif var('k') in [5, 6] %}n{% else %}-{% endif %}", "n"),
        ("{{ env_var('REGION') is string and not false }}", True),
        ("{% raw %}{{ kept }}{% endraw %}", "{{ kept }}"),
    ],
)
def test_results_of_templates(template: str, value: Any) -> None:
    found = RENDERER.render({"key": [template]}, "policy")["key"][0]
    assert (found, type(found)) == (value, type(value))


LEAKS = [
    "{{ env_var }}",
    "x {{ env_var }}",
    "{{ var }}",
    "{{ [env_var] }}",
    "{{ {'a': env_var} }}",
    "{{ env_var | string }}",
    "{{ env_var | pprint }}",
    "{{ env_var | tojson }}",
    "{{ [env_var] | join }}",
    "{{ '%r' | format(env_var) }}",
    "{{ '%r' % env_var }}",
    "{{ '{0.__self__}'.format(env_var) }}",
    "{{ {'a': env_var} | xmlattr }}",
    "{{ env_var ~ '' }}",
    "{{ env_var.__self__ }}",
    "{{ env_var['__self__'] }}",
    "{{ env_var | attr('__self__') }}",
    "{{ env_var.__func__.__globals__ }}",
    "{{ var('k', default=env_var) }}",
    "{{ var('none', env_var) }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ self }}",
    "{{ self.__init__.__globals__ }}",
    "{{ cycler.__init__.__globals__ }}",
    "{{ lipsum.__globals__ }}",
    "{{ namespace(a=env_var) }}",
    "{% set a = env_var %}{{ a }}",
    "{% for a in [env_var] %}{{ a }}{% endfor %}",
    "{% if env_var %}a{% endif %}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}",
    "{% extends 'x' %}",
    "{{ env_var('KANON_ENV_SECRET_P') }}",
    "{{ env_var('kanon_env_secret_p', 1) }}",
    "{{ env_var('KANON_ENV_' ~ 'SECRET_P') }}",
    "{{ env_var(*['KANON_ENV_SECRET_P']) }}",
    "{{ undefined_name }}",
    "{{ undefined_name | default('x') }}",
    "{{ var('limits').items() }}",
    "{{ 'a'.upper() }}",
]


@pytest.mark.parametrize("template", LEAKS)
def test_templates_reach_only_their_variables(template: str) -> None:
    with pytest.raises(RequestError) as refused:
        RENDERER.render({"key": template}, "policy")
    assert str(refused.value).startswith("policy: key: ")
    assert CANARY not in str(refused.value)
    assert CANARY not in repr(RENDERER)


BOMBS = {
    "repeated text": "{{ 'x' * 1000000000 }}",
    "repeated list": "{{ [1] * 1000000000 }}",
    "power": "{{ 10 ** 100000000 }}",
    "product": "{{ 999999999" + " * 999999999" * 50 + " }}",
    "format width": "{{ '%01000000000d' % 1 }}",
    "format filter": "{{ '%01000000000d' | format(1) }}",
    "center": "{{ 'a' | center(1000000000) }}",
    "range": "{{ range(1000000000) | join }}",
    "nested loops": "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
    "macro": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "lorem ipsum": "{{ lipsum(100000) }}",
    "replacements": "{{ 'aaaaaaaaaa'" + " | replace('a', 'aaaaaaaaaa')" * 20 + " }}",
    "joins": "{{ [" + "1," * 2000 + "1] | join('" + "x" * 2000 + "') }}",
    "doubling": "{{ [" * 60 + "var('limits')" + "] }}" * 60,
    "many brackets": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "many filters": "{{ 1" + " | string" * 5000 + " }}",
    "many negations": "{{ " + "not " * 5000 + "1 }}",
    "deep JSON": "{{ '" + "[" * 5000 + "' | as_native }}",
    "long number": "{{ " + "9" * 5000 + " }}",
    "long template": "{{ 1 }}" + "x" * 200_000,
}


@pytest.mark.parametrize("template", BOMBS.values(), ids=BOMBS)
def test_an_expensive_template_is_refused(template: str) -> None:
    with pytest.raises(RequestError, match="policy: "):
        RENDERER.render(template, "policy")


def test_a_long_list_in_many_places_is_bounded() -> None:
    renderer = Renderer({}, {"long": list(range(10_000))})
    with pytest.raises(RequestError, match="handles more than"):
        renderer.render("{{ [" + "var('long')," * 200 + "] }}", "policy")


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {k: v}\n" + "".join(
    f"{name}: &{name} {{<<: [{', '.join([f'*{before}'] * 9)}]}}\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &a [*a]", "an alias contains itself"),
        ("a: &a {b: {c: *a}}", "an alias contains itself"),
        ("a: &a\n  <<: *a\n", "an alias contains itself"),
        (LAUGHS, "aliases represent more than"),
        (MERGES, "aliases represent more than"),
        ("a: " + "[" * 5000, "nested too deeply"),
        ("a: 2026-13-45", "cannot be read as YAML"),
        ("a: !!timestamp x", "cannot be read as YAML"),
        ("a: !!bool x", "cannot be read as YAML"),
        ("? !!set {x}\n: 1", "must be a plain name"),
        ("a: " + "9" * 5000, "cannot be read as YAML"),
        ("a: !!python/object/apply:os.getcwd []", "line 1"),
    ],
)
def test_yaml_that_no_command_can_use(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "policy.yml"
    file.write_text(text)
    with pytest.raises(RequestError, match=said):
        read_yaml(file, "policy", "table")
    with pytest.raises(RequestError, match=said):
        read_variables(text)


def test_ordinary_aliases_are_read(tmp_path: Path) -> None:
    file = tmp_path / "policy.yml"
    file.write_text("a: &a {x: 1}\nb: {in: &b {<<: *a, x: 2, y: 2}}\nc: {<<: *b}\nd: [*a, *a]\n")
    b = {"x": 2, "y": 2}
    assert read_yaml(file, "policy", "a") == {"a": {"x": 1}, "b": {"in": b}, "c": b, "d": [{"x": 1}, {"x": 1}]}
    file.write_text("a: &a {x: 1}\nb: {<<: *a, x: 2, x: 3}\n")
    with pytest.raises(RequestError, match="line 2: 'x' is listed twice"):
        read_yaml(file, "policy", "a")


def xml(secret: str) -> str:
    element = ElementTree.Element("a", {"message": secret})
    element.text = secret
    return ElementTree.tostring(element, encoding="unicode")


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda s: f"say {s}!",
    "repr": repr,
    "repr in a list": lambda s: repr([s]),
    "repr beside a quote": lambda s: repr(f"it's {s}") + repr(f'"{s}') + repr(f"'\"{s}"),
    "ascii": ascii,
    "JSON": json.dumps,
    "JSON with letters": lambda s: json.dumps(s, ensure_ascii=False),
    "JSON in JSON": lambda s: json.dumps(json.dumps({"key": s})),
    "repr in JSON": lambda s: json.dumps(repr(s)),
    "YAML, folded": lambda s: yaml.safe_dump({"key": "x " * 35 + s}),
    "YAML, folded, with letters": lambda s: yaml.safe_dump({"key": "x" * 60 + s}, allow_unicode=True),
    "YAML in single quotes": lambda s: yaml.safe_dump([s], default_style="'"),
    "YAML in double quotes": lambda s: yaml.safe_dump([s], default_style='"'),
    "YAML block": lambda s: yaml.safe_dump({"a": {"b": s}}, default_style="|"),
    "YAML folded block": lambda s: yaml.safe_dump({"a": {"b": s}}, default_style=">"),
    "URL": lambda s: quote(s, safe=""),
    "URL path": quote,
    "URL query": quote_plus,
    "URL of SQLAlchemy": lambda s: URL.create("postgresql", "u", s, "h").render_as_string(hide_password=False),
    "HTML": html.escape,
    "XML": xml,
    "shell": shlex.quote,
    "SQL": lambda s: "'" + s.replace("'", "''") + "'",
}


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_a_secret_is_masked_in_every_form(spell: Callable[[str], str]) -> None:
    draw = random.Random(1)
    secrets = ["it's", 'say "x"', "back\\slash", "tab\tand\nline", "p@ss/w:rd +x", "a&b<c>", "100%25", " blank ", "é€\U0001f600"]
    secrets += ["".join(draw.choices("ab'\"\\ \n\t&<>%+/:@é€$`!#{}[]\x1b\u2028\u00a0", k=12)) + "z" for _ in range(40)]
    for secret in secrets:
        assert "*****" in Secrets([secret]).scrub(spell(secret)), repr(secret)


def test_bytes_that_are_not_text_are_a_secret_too() -> None:
    assert Secrets(["\udc80x"]).scrub("a \udc80x b") == "a ***** b"


def test_other_values_are_not_masked() -> None:
    text = "people in 3 classes: nothing 'hidden' here \\\n  at all"
    assert Secrets([]).scrub(text) == text
    assert Secrets(["s3cr3t"]).scrub(text) == text
