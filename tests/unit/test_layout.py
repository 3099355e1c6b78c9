"""Limits of the code base: import contracts, templates, sizes and public names."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import types
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

import kanon_sql
from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.hierarchy import RULES
from kanon_sql.metrics import CLASS_METRICS, INFORMATION, METRICS, RISKS
from kanon_sql.models import VALUE_RULES
from kanon_sql.outputs import OUTPUTS
from kanon_sql.policy import Privacy
from kanon_sql.sql.templates import render, template_names, templates_folder
from kanon_sql.sql.translation import TemplateError, translate

PACKAGE = Path(kanon_sql.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
TEMPLATES = sorted(templates_folder().rglob("*.sql"))
LAYOUT = {"part", "part_0", "", ",", "+ ", "union all", "and (", "or", ")"}


def test_import_contracts() -> None:
    from importlinter.cli import lint_imports

    assert lint_imports(config_filename=str(PACKAGE.parent / "pyproject.toml"), no_cache=True) == 0


def test_public_names_exist() -> None:
    for name in kanon_sql.__all__:
        assert getattr(kanon_sql, name) is not None
    with pytest.raises(AttributeError):
        kanon_sql.nothing  # noqa: B018


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_stay_small(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if any("command" in ast.unparse(decorator) for decorator in node.decorator_list):
                lines -= (node.body[0].end_lineno or 0) - node.lineno + 1  # options and the help text
            assert lines <= 40, node.name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_classes_have_few_public_methods(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"))
    for name, found in inspect.getmembers(module, inspect.isclass):
        if found.__module__ == module.__name__:
            own = [base for base in found.__mro__ if base.__module__.startswith("kanon_sql")]
            public = {method for base in own for method, value in vars(base).items() if _is_public_method(method, value)}
            assert len(public) <= 12, f"{name}: {sorted(public)}"


def _is_public_method(name: str, value: object) -> bool:
    return not name.startswith("_") and isinstance(value, types.FunctionType | classmethod | staticmethod)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(templates_folder())))
def test_templates_are_documented_and_admit_no_values(path: Path) -> None:
    text = path.read_text()
    assert re.match(r"\{#-? .+ -?#\}\n", text), "the first line says purpose, inputs and output"
    if path.parent.name != "demo":
        assert text.count("\n") <= 80
    for node in jinja2.Environment(extensions=[]).parse(text).find_all(nodes.Output):
        for part in node.nodes:
            if not isinstance(part, nodes.TemplateData):
                assert comes_through_a_filter(part), f"line {part.lineno}"


def comes_through_a_filter(part: nodes.Node) -> bool:
    if isinstance(part, nodes.CondExpr):
        return all(isinstance(side, nodes.Const) and side.value in LAYOUT for side in (part.expr1, part.expr2) if side is not None)
    if isinstance(part, nodes.Name):
        return part.name in ("select", "placeholder")
    return isinstance(part, nodes.Filter) and part.name in ("name", "names", "numbered", "number", "exact", "type", "written")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(templates_folder())))
def test_templates_do_not_choose_between_statements(path: Path) -> None:
    for node in jinja2.Environment().parse(path.read_text()).find_all(nodes.If):
        branches = [node.body, *(branch.body for branch in node.elif_), node.else_]
        assert sum(first_word(branch) in ("select", "with") for branch in branches) < 2, f"line {node.lineno}: Python chooses the statement"


def first_word(body: list[nodes.Node]) -> str:
    """Return the first word of a part of a template, read through its blocks and the templates it includes by name."""
    for node in body:
        if isinstance(node, nodes.Include) and isinstance(node.template, nodes.Const):
            text = (templates_folder() / node.template.value).read_text()
            word = first_word(jinja2.Environment().parse(text).body)
        elif isinstance(node, nodes.Output):
            texts = (part.data if isinstance(part, nodes.TemplateData) else "{{" for part in node.nodes)
            word = next(iter("".join(texts).split()), "")
        else:
            word = first_word(getattr(node, "body", []))
        if word:
            return word
    return ""


def test_a_raw_value_cannot_enter_sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import kanon_sql.sql.templates as home

    (tmp_path / "leaky.sql").write_text("select {{ value }}")
    monkeypatch.setattr(home, "templates_folder", lambda: tmp_path)
    home._environment.cache_clear()
    try:
        with pytest.raises(TemplateError, match="would enter SQL text"):
            render("leaky", "duckdb", {"value": "Robert'; drop table students; --"})
    finally:
        home._environment.cache_clear()


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize(
    "text",
    [
        "select 1; select 2",
        "select ';' ; drop table t",
        "drop table t",
        "create table t (a int)",
        "delete from t",
        "update t set a = 1",
        "with gone as (delete from t returning a) select a from gone",
        "/* select */ pragma version",
        "",
    ],
)
def test_only_one_select_is_accepted(text: str, dialect: str) -> None:
    with pytest.raises(TemplateError):
        translate(text, dialect)


def test_a_name_may_be_any_word() -> None:
    text = """select "drop "";--", ';' from "a;b" /* create */ -- delete"""
    assert translate(text, "duckdb") == text
    assert "drop" in translate(text, "sqlite")


def test_template_folders_mirror_the_packages() -> None:
    packages = {module.name for folder in (PACKAGE, PACKAGE / "stages") for module in pkgutil.iter_modules([str(folder)])}
    assert {name.split("/")[0] for name in template_names()} - packages == {"demo"}


def test_every_test_file_has_a_unique_name() -> None:
    names = [path.name for path in (PACKAGE.parent / "tests").rglob("test_*.py")]
    assert sorted(set(names)) == sorted(names)


def test_every_algorithm_and_metric_has_a_golden_case() -> None:
    cases = PACKAGE.parent / "tests" / "golden" / "cases"
    text = "\n".join(path.read_text() for path in cases.rglob("*") if path.suffix in (".yml", ".json"))
    for name in (*ALGORITHMS, *METRICS, *RISKS, *INFORMATION):
        assert name in text, name


def test_every_file_of_the_command_line_that_registers_a_command_is_listed() -> None:
    from kanon_sql.cli import COMMANDS

    folder = PACKAGE / "cli"
    files = [path for path in folder.rglob("*.py") if re.search(r"@\w+\.command\(", path.read_text())]
    assert sorted(COMMANDS) == sorted(".".join(path.relative_to(folder).with_suffix("").parts) for path in files)


def test_every_file_of_a_list_is_in_the_list() -> None:
    """A kind of hierarchy or output, or a model, that is not in its list would never be found."""
    for package, names in (("hierarchy", set(RULES)), ("outputs", set(OUTPUTS)), ("models", set(VALUE_RULES))):
        text = "\n".join(path.read_text() for path in (PACKAGE / package).glob("*.py"))
        field = "name" if package == "outputs" else "key"
        assert set(re.findall(rf'^    {field}: ClassVar\[str\] = "(\w+)"', text, re.MULTILINE)) == names


def test_every_model_of_a_policy_has_its_key_and_its_template() -> None:
    assert list(Privacy.model_fields) == ["k", *VALUE_RULES, "average_risk"]
    for metric in (*CLASS_METRICS, *RISKS.values(), *INFORMATION.values()):
        assert (templates_folder() / metric.template).is_file()


def test_files_named_in_the_documentation_exist() -> None:
    root = PACKAGE.parent
    names = set(template_names())
    architecture = (root / "docs" / "architecture.md").read_text()
    for path in re.findall(r"`([\w/]+\.(?:py|sql))`", architecture):
        assert any((folder / path).is_file() for folder in (root, PACKAGE, PACKAGE / "stages", templates_folder(), PACKAGE / "commands")), (
            path
        )
    for template in re.findall(r"`((?:count|evaluate|recode|publish|verify)/[\w/]+)`", (root / "docs" / "how_it_works.md").read_text()):
        assert template in names, template
