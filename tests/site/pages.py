"""Lays the documents out as the pages of the site: `python -m tests.site.pages FOLDER`.

The documents are written to be read where they lie, and lead to files all over the repository.
Here each file that one of them leads to becomes a page as well (documents under a short name,
sources under `source/`), and a folder a list of its pages, so that no link leaves the site.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
LINK: Final = re.compile(r"(!?\[[^\]]*\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")
CODE: Final = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
LANGUAGES: Final = {".py": "python", ".toml": "toml", ".mjs": "javascript", ".js": "javascript"}
PICTURES: Final = {".svg", ".png", ".ndlog"}
GAME_BOOK: Final = re.compile(r"engine/games/(\w+)/README\.md")
UNSEARCHED: Final = "---\nsearch:\n  exclude: true\n---\n\n"


def place_of(path: Path) -> Path:
    """Where a file of the repository, or a folder, is in the site."""
    inside = path.relative_to(ROOT)
    book = GAME_BOOK.fullmatch(inside.as_posix())
    if book:
        return Path("games") / f"{book[1].replace('_', '-')}.md"
    if path.is_dir():
        folder = path.relative_to(DOCS) if path.is_relative_to(DOCS) else Path("source") / inside
        return folder / "list.md"
    if path.is_relative_to(DOCS) and (path.suffix == ".md" or path.suffix in PICTURES):
        return path.relative_to(DOCS)
    if path.parent == ROOT and path.suffix == ".md":
        return Path("project") / f"{path.stem.lower()}.md"
    return Path("source") / (inside if path.suffix == ".md" else f"{inside}.md")


class Site:
    """The pages that are made, and those that they lead to."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._made: Final[set[Path]] = set()
        self._wanted: Final[list[Path]] = []

    def lay_out(self) -> None:
        """Write every document, and whatever it leads to."""
        self._wanted.extend([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
        while self._wanted:
            self._make(self._wanted.pop())

    def _make(self, path: Path) -> None:
        place = place_of(path)
        if place in self._made:
            return
        self._made.add(place)
        target = self._folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in PICTURES:
            shutil.copyfile(path, target)
        else:
            target.write_text(self._page(path, place), "utf-8")

    def _page(self, path: Path, place: Path) -> str:
        if path.is_dir():
            return "\n".join([f"# {path.name}", "", *self._list(path, place), ""])
        text = path.read_text("utf-8")
        if path.suffix == ".md":
            return self._led(text, path.parent, place)
        kind = LANGUAGES.get(path.suffix, "text")
        inside = path.relative_to(ROOT).as_posix()
        return f"{UNSEARCHED}# {inside}\n\n`````{kind}\n{text}`````\n"

    def _list(self, folder: Path, place: Path) -> Iterator[str]:
        for path in sorted(folder.iterdir()):
            if path.is_dir() and any(path.glob("*.md")):
                yield f"* [{path.name}]({self._lead(path, place)})"
            elif path.suffix in {".md", ".py"} and not path.name.startswith("__"):
                yield f"* [{_title(path)}]({self._lead(path, place)})"

    def _led(self, text: str, folder: Path, place: Path) -> str:
        """The text with links to pages of the site; what is code stays as it is."""
        parts = CODE.split(text)
        parts[::2] = [LINK.sub(lambda link: self._link(link, folder, place), p) for p in parts[::2]]
        return "".join(parts)

    def _link(self, link: re.Match[str], folder: Path, place: Path) -> str:
        target = Path(os.path.normpath(folder / link[2]))
        if not target.exists():
            raise SystemExit(f"{place}: {link[2]} leads nowhere")
        return f"{link[1]}{self._lead(target, place)}{link[3]}"

    def _lead(self, target: Path, place: Path) -> str:
        """The link from a page to this file, which becomes a page too."""
        if target.name == "__init__.py":
            target = target.parent
        self._wanted.append(target)
        return os.path.relpath(place_of(target), place.parent)


def _title(path: Path) -> str:
    first = path.read_text("utf-8").partition("\n")[0] if path.suffix == ".md" else ""
    return first.removeprefix("# ") if first.startswith("# ") else path.name


def main(folder: str) -> None:
    """Make the folder anew."""
    shutil.rmtree(folder, ignore_errors=True)
    Site(Path(folder)).lay_out()


if __name__ == "__main__":
    main(sys.argv[1])
