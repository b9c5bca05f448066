"""Every reason that can be given has a sentence with the values it needs, and every sentence a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import forensia
from forensia.wording import reasons

PACKAGE = Path(forensia.__file__).parent
MAKERS = ("evidence", "service", "case")


def made(module: Path) -> Iterator[tuple[str, frozenset[str]]]:
    """The codes of the reasons that a module makes, with the names of their values; what is not written out is a fault."""
    tree = ast.parse(module.read_text("utf-8"))
    dicts = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Reason":
            values = node.args[1] if len(node.args) > 1 else ast.Dict([], [])
            values = dicts[values.id] if isinstance(values, ast.Name) else values
            assert isinstance(values, ast.Dict), f"{module}:{node.lineno}"
            names = frozenset(written(key) for key in values.keys if key is not None)
            code = node.args[0]
            for each in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
                yield written(each), names


def written(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant) and isinstance(node.value, str), ast.unparse(node)
    return node.value


def sentences() -> dict[str, frozenset[str]]:
    """The codes that have a sentence, with the names of the values in it."""
    found = {
        code: frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)
        for code, template in reasons._SENTENCES.items()
    }
    found["methods-disagree"] = found["methods-disagree"] - {"others"} | {"systems", "firsts"}  # told as pairs
    found["outsiders-score-as-high"] = found["outsiders-score-as-high"] - {"counts_less"}  # told alike in the report
    typed = frozenset(
        ("author", "kinds", "forms", "counts", "totals", "texts", "known", "own_texts", "own")
    )  # told as rows
    for code in ("typing-differs", "typing-differs-and-counts"):
        found[code] = found[code] - {"typed"} | typed
    of_many = typed - {"author", "own_texts", "own"}
    found["population-typing"] = found["population-typing"] - {"typed"} | of_many
    return found


def test_every_reason_has_a_sentence_and_every_sentence_a_reason() -> None:
    found = {each for room in MAKERS for module in (PACKAGE / room).rglob("*.py") for each in made(module)}
    assert found == set(sentences().items())


def test_reasons_are_made_nowhere_else() -> None:
    elsewhere = [
        module.relative_to(PACKAGE).as_posix()
        for module in PACKAGE.rglob("*.py")
        if module.relative_to(PACKAGE).parts[0] not in MAKERS and list(made(module))
    ]
    assert elsewhere == []
