"""Reads the aggregate queries of a policy: one SELECT each that only reads."""

from __future__ import annotations

from sqlglot import exp

from kanon_sql.errors import RequestError
from kanon_sql.sql.read_only import read_only_statement
from kanon_sql.sql.templates import insert_queries, parse_template, quote, spell_tree, unused_names
from kanon_sql.tables import RowSource, SourceQuery, TableName

_PLACEHOLDER = "__kanon_table"


def render_comparison(template: str, dialect: str, query: str, sources: dict[str, RowSource]) -> str:
    """Return a template over the results of one aggregate query on several tables, which the template reads under these names."""
    queries = {key: source for key, source in sources.items() if isinstance(source, SourceQuery)}
    tables = {key: source for key, source in sources.items() if isinstance(source, TableName)}
    written = (query, *(source.text for source in queries.values()), *(part for table in tables.values() for part in table.parts))
    names = unused_names(queries, "\n".join(written))
    tables |= names
    select, keys, measures = aggregates_of(query, dialect, "queries")
    whole = parse_template(template, {"keys": keys, "measures": measures})
    for node in list(whole.find_all(exp.Table)):
        if node.name in tables:
            result = select.copy()
            for table in [table for table in result.find_all(exp.Table) if table.name == _PLACEHOLDER]:
                table.replace(_named(tables[node.name], table.args.get("alias")))
            node.replace(exp.Subquery(this=result, alias=exp.TableAlias(this=exp.to_identifier(node.name))))
    return insert_queries(spell_tree(whole, template, dialect), names, queries, dialect)


def aggregates_of(query: str, dialect: str, where: str) -> tuple[exp.Select, int, int]:
    """Return a user's query, proven to be one SELECT of aggregates that only reads, as key_1 … and measure_1 …, and the number of each."""
    select = read_only_statement(query.replace("{table}", quote(_PLACEHOLDER, dialect)), dialect, where)
    if not isinstance(select, exp.Select):
        raise RequestError(f"{where}: must be one SELECT")
    if any(select.args.get(part) for part in ("distinct", "limit", "offset")) or any(p.find(exp.Window) for p in select.expressions):
        raise RequestError(f"{where}: must give all its groups: leave out DISTINCT, LIMIT and windows")
    if not any(table.name == _PLACEHOLDER for table in select.find_all(exp.Table)):
        raise RequestError(f"{where}: must read from {{table}}")
    group = select.args.get("group")
    keys = [_grouped_by(key, select) for key in group.expressions] if group else []
    if group and (not keys or any(value for name, value in group.args.items() if name != "expressions")):
        raise RequestError(f"{where}: must group by columns or expressions, not by ROLLUP, CUBE or GROUPING SETS")
    plain = [projection.unalias() for projection in select.expressions]
    measures = [projection for projection in plain if projection.find(exp.AggFunc)]
    if not measures or any(p not in keys for p in plain if p not in measures):
        raise RequestError(f"{where}: must select aggregates, and otherwise only what it groups by")
    result = select.copy()
    result.set(
        "expressions", [*(_key(key, number) for number, key in enumerate(keys, 1)), *map(_measure, range(1, len(measures) + 1), measures)]
    )
    result.set("order", None)
    if group:
        result.set("group", exp.Group(expressions=[key.copy() for key in keys]))
    return result, len(keys), len(measures)


def _named(table: TableName, alias: exp.Expr | None) -> exp.Table:
    """Return a table by its full name, with the alias that the query uses."""
    parts = [exp.to_identifier(part, quoted=True) for part in table.parts]
    places = dict(zip(("this", "db", "catalog"), reversed(parts), strict=False))
    known = alias.copy() if alias else exp.TableAlias(this=exp.to_identifier(_PLACEHOLDER, quoted=True))
    return exp.Table(**places, alias=known)


def _grouped_by(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """Return the expression that a query groups by, where it names it by position or by alias."""
    if isinstance(key, exp.Literal) and not key.is_string and 0 < int(key.name) <= len(select.expressions):
        by_position: exp.Expr = select.expressions[int(key.name) - 1].unalias()
        return by_position
    if isinstance(key, exp.Column) and not key.table:
        return next((p.unalias() for p in select.expressions if isinstance(p, exp.Alias) and p.alias == key.name), key)
    return key


def _key(key: exp.Expr, number: int) -> exp.Expr:
    """Return a key as text, compared byte for byte."""
    text = exp.Cast(this=key.copy(), to=exp.DataType.build("varchar"))
    return exp.alias_(exp.Collate(this=text, expression=exp.to_identifier("C", quoted=True)), f"key_{number}")


def _measure(number: int, measure: exp.Expr) -> exp.Expr:
    return exp.alias_(exp.Cast(this=measure.copy(), to=exp.DataType.build("double")), f"measure_{number}")
