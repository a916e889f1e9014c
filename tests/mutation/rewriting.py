"""Modules whose syntax trees are changed when they are imported; their files stay as they are."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

Rewrite = Callable[[str, ast.Module], ast.Module]
"""From a module's name and its tree to the tree that is compiled."""


class _Loader(SourceFileLoader):
    """Compiles again at each import: the code in `__pycache__` was not changed."""

    def __init__(self, fullname: str, path: str, rewrite: Rewrite) -> None:
        super().__init__(fullname, path)
        self._rewrite = rewrite

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(self.get_data(self.path), self.path)
        tree = ast.fix_missing_locations(self._rewrite(fullname, tree))
        return compile(tree, self.path, "exec", dont_inherit=True)


class Rewriter(MetaPathFinder):
    """Put before all other finders: changes the modules below some packages, or single ones."""

    def __init__(self, names: Sequence[str], rewrite: Rewrite) -> None:
        self._names = tuple(names)
        self._rewrite = rewrite

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that any other finder would give, but for the loader."""
        if not any(f"{fullname}.".startswith(f"{name}.") for name in self._names):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path, self._rewrite)
        return spec


@contextmanager
def rewritten(names: Sequence[str], rewrite: Rewrite) -> Iterator[None]:
    """Inside of this block, modules that are imported are changed first."""
    finder = Rewriter(names, rewrite)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
