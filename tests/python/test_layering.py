"""The arrows of the package: what may import what, read from the source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "bindings" / "python" / "corecall"
MODULES = sorted(file for file in PACKAGE.rglob("*.py") if "_native" not in file.parts)

# Below a module only these. `__init__` re-exports them all, so nothing but faces imports `corecall` itself.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "_abi": {"corecall._native"},
    "records": set(),
    "sdk": set(),
    "embedding": {"corecall.errors"},
    "replies": {"corecall.records"},
    "core": {"corecall._abi", "corecall.errors"},
    "library": {"corecall.core", "corecall.embedding", "corecall.errors", "corecall.replies"},
}
FACES = ("cli", "demo", "evaluation", "__main__")
# What a face may use of the package: the public list, and the records' literal types.
PUBLIC = {"corecall", "corecall.records", "corecall.library"}


def name(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path, *, types: bool) -> set[str]:
    """The modules of the package that a file imports; with `types`, also under TYPE_CHECKING."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    unchecked: set[ast.AST] = set()
    if not types:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                unchecked.update(inner for statement in node.body for inner in ast.walk(statement))
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in unchecked:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            for alias in node.names:
                below = f"{module}.{alias.name}"
                is_module = (PACKAGE.parent / Path(*below.split("."))).with_suffix(".py").exists()
                found.add(below if is_module else module)
    return {module for module in found if module.split(".")[0] == "corecall"}


def test_every_module_has_a_place() -> None:
    top = {file.stem for file in PACKAGE.glob("*.py")}
    assert top == {*ALLOWED, "__init__", "__main__"}
    assert {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()} - {"_native"} == {
        "cli",
        "demo",
        "evaluation",
    }


@pytest.mark.parametrize("module", sorted(ALLOWED))
def test_a_module_imports_only_what_lies_below(module: str) -> None:
    assert imports(PACKAGE / f"{module}.py", types=False) <= ALLOWED[module]


@pytest.mark.parametrize(
    "file", [file for file in MODULES if file.relative_to(PACKAGE).parts[0].startswith(FACES)], ids=name
)
def test_the_faces_use_the_public_api_only(file: Path) -> None:
    faces = tuple(f"corecall.{face}" for face in FACES)
    inside = {module for module in imports(file, types=True) if module.startswith(faces)}
    assert imports(file, types=True) - inside <= PUBLIC


def test_only_the_raw_layer_touches_the_generated_binding() -> None:
    users = {name(file) for file in MODULES if any("_native" in module for module in imports(file, types=True))}
    assert users == {"corecall._abi"}


def test_the_import_graph_has_no_cycle() -> None:
    graph = {name(file): imports(file, types=False) for file in MODULES}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path, module))
        if module not in done:
            for target in graph.get(module, set()):
                visit(target, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())
    assert len(done) >= len(graph)


@pytest.mark.parametrize("file", [file for file in MODULES if file.stem == "__init__"], ids=name)
def test_a_package_only_lists_and_re_exports(file: Path) -> None:
    body = ast.parse(file.read_text(encoding="utf-8")).body
    rest = [node for node in body[1:] if not isinstance(node, (ast.Import, ast.ImportFrom))]
    assert all(isinstance(node, ast.Assign) for node in rest)
    targets = {
        target.id
        for node in rest
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert targets <= {"__all__", "__version__"}


def test_the_public_list_is_whole_and_sorted() -> None:
    import corecall  # noqa: PLC0415 - the other tests read the source only

    assert list(corecall.__all__) == sorted(corecall.__all__)
    public = {
        name
        for name, value in vars(corecall).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("corecall.")
    }
    assert public - {"Embedder"} == set(corecall.__all__) - {"__version__", "Embedder"}
