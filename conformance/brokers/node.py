"""A process of Kafka: a broker or the controller, with its settings, folder and log."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tierproof.conformance.brokers import running
from tierproof.conformance.brokers.errors import NotSeen

OPTIONS = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
STOPPING_S = 30
"""So long may a node take to stop in good order."""

FORMATTED = ("meta.properties", "bootstrap.checkpoint")
"""The files of a folder that is formatted and was never used."""

LOG4J_1 = """log4j.rootLogger=INFO, stdout
log4j.appender.stdout=org.apache.log4j.ConsoleAppender
log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
log4j.appender.stdout.layout.ConversionPattern=[%d] %p %m (%c)%n
"""
LOG4J_2 = """rootLogger.level=INFO
rootLogger.appenderRef.out.ref=out
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=[%d] %p %m (%c)%n
"""


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


def awaited(what: str, is_so: Callable[[], bool], seconds: float, every: float = 0.1) -> None:
    """Wait until something is so. Raises NotSeen when it is not in `seconds`, or Ended."""
    end = time.monotonic() + seconds
    while not is_so():
        running.check()
        if time.monotonic() > end:
            raise NotSeen(f"not seen in {seconds:g} s: {what}")
        time.sleep(every)


@dataclass
class Node:
    """A process of Kafka. It runs in a session of its own and ends with this process."""

    name: str
    folder: Path
    class_path: str
    port: int
    settings: Mapping[str, object]
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def file(self) -> Path:
        """The file of its settings."""
        return self.folder / f"{self.name}.properties"

    @property
    def log(self) -> Path:
        """What it printed, over all its starts."""
        return self.folder / f"{self.name}.log"

    @property
    def data(self) -> Path:
        """The folder of its logs."""
        return self.folder / self.name

    def write(self) -> None:
        """Write its settings."""
        self.data.mkdir(parents=True, exist_ok=True)
        given = {**self.settings, "log.dirs": self.data}
        self.file.write_text("".join(f"{name}={value}\n" for name, value in given.items()), "utf-8")
        (self.folder / "log4j.properties").write_text(LOG4J_1, "utf-8")
        (self.folder / "log4j2.properties").write_text(LOG4J_2, "utf-8")

    def start(self) -> None:
        """Start the process; it may not answer yet."""
        logging = [
            f"-Dlog4j.configuration=file:{self.folder / 'log4j.properties'}",
            f"-Dlog4j2.configurationFile={self.folder / 'log4j2.properties'}",
        ]
        command = [
            "java",
            *OPTIONS,
            *logging,
            "-cp",
            self.class_path,
            "kafka.Kafka",
            str(self.file),
        ]
        running.check()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        running.note(self.process)

    def answers(self) -> bool:
        """Whether somebody listens at its port. Raises NotSeen if its process has ended."""
        if self.process is not None and self.process.poll() is not None:
            raise NotSeen(f"{self.name} ended: see {self.log}")
        with socket.socket() as tried:
            tried.settimeout(1)
            return tried.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """Stop in good order; after STOPPING_S by force."""
        if self.process is not None:
            self.resume()
            self.process.terminate()
            try:
                self.process.wait(STOPPING_S)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """A crash: kill -9."""
        if self.process is not None:
            running.end(self.process)

    def lose_logs(self) -> None:
        """A new disk: of what it stored is left what formatting wrote."""
        for path in self.data.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name not in FORMATTED:
                path.unlink()

    def pause(self) -> None:
        """Stand still (SIGSTOP): the process neither reads nor answers."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Go on (SIGCONT)."""
        self._send(signal.SIGCONT)

    def _send(self, what: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(what)


_LIBC = ctypes.CDLL(None, use_errno=True)
_SET_PARENT_DEATH_SIGNAL = 1


def _end_with_parent() -> None:
    """In the child, before it becomes Java: end if we are killed (Linux, prctl)."""
    if os.uname().sysname == "Linux":
        _LIBC.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
