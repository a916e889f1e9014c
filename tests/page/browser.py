"""A page in Chromium, without a window and without a network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

from tests.patience import PATIENCE

CHROMIUM: Final = shutil.which("chromium")
DRIVER: Final = shutil.which("chromedriver")
FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
)  # fmt: skip
_MISSING: Final = [
    what
    for what, found in (
        ("chromium", CHROMIUM),
        ("chromedriver", DRIVER),
        ("selenium", find_spec("selenium")),
    )
    if found is None
]
needs_browser = pytest.mark.skipif(bool(_MISSING), reason=f"not installed: {', '.join(_MISSING)}")


class Page:
    """An open page: a selenium driver with what the tests ask of it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, fragment: str = "") -> None:
        self.driver.get(path.as_uri() + fragment)

    def run(self, script: str) -> Any:
        """The value of a script that returns something."""
        return self.driver.execute_script(script)

    def text(self, name: str) -> str:
        """The visible text of the element with that id."""
        return str(self.run(f"return document.getElementById('{name}').innerText"))

    def press(self, *keys: str) -> None:
        """Keys, given to the page as a whole."""
        self.driver.find_element("tag name", "body").send_keys(*keys)

    def wait(self, done: Callable[[], object]) -> None:
        """Wait until something is true."""
        from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415 (may be missing)

        WebDriverWait(self.driver, PATIENCE, 0.1).until(lambda _: done())

    def verdict(self) -> tuple[str, str, str]:
        """Name, colour class and words of the verdict, once it is there."""
        self.wait(lambda: self.run("return document.getElementById('verdict').dataset.verdict"))
        name, colour = self.run(
            "const {dataset, className} = document.getElementById('verdict');"
            "return [dataset.verdict, className]"
        )
        return name, colour, self.text("verdict-reason")

    def emulate(self, width: int, height: int, scheme: str) -> None:
        """A screen of this size (pixels), dark or light."""
        mobile = width < 600
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})

    def complaints(self) -> list[Any]:
        """What the console says, refusals of the content policy among it."""
        logged: list[Any] = self.driver.get_log("browser")
        return logged


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A browser with a fresh profile; it is gone after the block."""
    from selenium import webdriver  # noqa: PLC0415 (may be missing)
    from selenium.webdriver.chrome.service import Service  # noqa: PLC0415

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER or ""))
    try:
        yield Page(driver)
    finally:
        driver.quit()
