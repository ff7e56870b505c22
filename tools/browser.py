"""Drives a headless Chromium over its DevTools pipe, for tests of pages and pictures of them. It loads nothing from a network."""
from __future__ import annotations

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe")


def find() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page of a browser; use it as a block.

    Attributes:
        messages: what the page has written to the console, and exceptions that nobody caught.
        requests: addresses that it asked for.
    """

    def __init__(self, width: int = 1200, height: int = 760, timeout: float = 60.0) -> None:
        self.size = width, height
        self.timeout = timeout
        self.messages: list[str] = []
        self.requests: list[str] = []
        self._number = 0
        self._buffer = b""
        self._loaded = False

    def __enter__(self) -> Browser:
        path = find()
        if path is None:
            raise FileNotFoundError("no Chromium")
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4, which must not be what either end is already.
        given = theirs_in, theirs_out
        theirs_in, theirs_out = (fcntl.fcntl(each, fcntl.F_DUPFD, 32) for each in given)
        for each in given:
            os.close(each)
        command = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, path, *FLAGS, f"--user-data-dir={self._folder.name}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self._session = None
        targets = self._ask("Target.getTargets")["targetInfos"]
        page = next(each for each in targets if each["type"] == "page")
        self._session = self._ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        self._ask("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1], deviceScaleFactor=1,
                  mobile=False)
        return self

    def __exit__(self, *details: object) -> None:
        try:
            self._session = None
            self._ask("Browser.close")
            self._process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._folder.cleanup()

    def open(self, path: str | os.PathLike[str]) -> None:
        """Loads a file, and waits for it."""
        self._loaded = False
        self._ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        until = time.monotonic() + self.timeout
        while not self._loaded:
            self._take(self._receive(until))

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression, awaited. Raises RuntimeError when it throws."""
        answer = self._ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return answer["result"].get("value")

    def click(self, x: float, y: float) -> None:
        """Presses and releases the left button there."""
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def mouse(self, kind: str, x: float, y: float) -> None:
        """An event of the mouse: "mousePressed", "mouseMoved" or "mouseReleased"."""
        button = "none" if kind == "mouseMoved" else "left"
        self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def write(self, text: str) -> None:
        """Text into what has the focus."""
        self._ask("Input.insertText", text=text)

    def key(self, name: str) -> None:
        """Presses and releases a key."""
        for kind in ("keyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, key=name)

    def picture(self) -> bytes:
        """What is shown, as a PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])

    # ---- the protocol ----------------------------------------------------------------------------------------
    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data):]
        until = time.monotonic() + self.timeout
        while True:
            answer = self._receive(until)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                found: dict[str, Any] = answer["result"]
                return found
            self._take(answer)

    def _receive(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(until - time.monotonic(), 0))[0]:
                raise RuntimeError("the browser does not answer")
            data = os.read(self._in, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def _take(self, event: dict[str, Any]) -> None:
        kind, details = event.get("method"), event.get("params", {})
        if kind == "Page.loadEventFired":
            self._loaded = True
        elif kind == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(each.get("value", each.get("description"))) for each in details["args"]))
        elif kind == "Runtime.exceptionThrown":
            self.messages.append(details["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif kind == "Log.entryAdded":
            self.messages.append(details["entry"]["text"])
        elif kind == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
