"""Checks a built site: `python -m tests.site.links FOLDER`.

Every link of every page leads to a file of the site, and to a place that is there; nothing is
loaded from anywhere else.  Prints what is wrong; the exit code says whether something is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADED: Final = {("script", "src"), ("img", "src"), ("link", "href"), ("source", "src")}


class Page(HTMLParser):
    """The links of a page, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.places: Final[set[str]] = set()
        self.links: Final[list[str]] = []
        self.loaded: Final[list[str]] = []
        self.feed(path.read_text("utf-8"))

    def has(self, fragment: str) -> bool:
        """Whether a link with this behind its # leads somewhere in the page."""
        return not fragment or unquote(fragment) in self.places

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what this tag names or leads to."""
        given = {name: value for name, value in attrs if value}
        self.places.update(given[name] for name in ("id", "name") if name in given)
        for name in ("href", "src"):
            if name not in given or given.get("rel") == "canonical":
                continue
            kept = self.loaded if (tag, name) in LOADED else self.links
            kept.append(given[name])


def faults(folder: Path) -> Iterator[str]:
    """What is wrong, a line each."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        here = path.relative_to(folder)
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme == "data" or (parts.scheme and link in page.links):
                continue
            if parts.scheme or parts.netloc:
                yield f"{here}: {link} is loaded from elsewhere"
                continue
            base = folder if parts.path.startswith("/") else path.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{here}: {link} leads nowhere"
            elif target in pages and not pages[target].has(parts.fragment):
                yield f"{here}: there is no place {link}"


def main(folder: str) -> int:
    """The exit code."""
    found = list(faults(Path(folder).resolve()))
    print("\n".join(found) or "Every link leads somewhere.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
