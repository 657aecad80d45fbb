"""Spark standalone on loopback: a master, and workers that share nothing but a store.

Each worker is a host of its own as far as one machine has hosts: an address of its own, a home, a
cache, a folder for temporary files, one for Spark's, and one for its work. The store is S3 as
Moto's server speaks it.
"""

import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pyspark
from moto.server import ThreadedMotoServer

from tests.explorer.test_temporary_folders import descendants
from tierproof.spark_explorer.compiler.storage import folder as cache
from tierproof.spark_explorer.native.keeping import EngineFolder, engine_digest
from tierproof.spark_explorer.native.packing import __file__ as of_the_engine
from tierproof.spark_explorer.spark.session import see_to_java

SPARK = Path(pyspark.__file__).parent
SECONDS = 3600
"""After which something hangs: a busy machine takes minutes to start all this."""
SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""Options of virtual machines that live for seconds."""
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
KEYS = {
    "AWS_ACCESS_KEY_ID": "anybody",
    "AWS_SECRET_ACCESS_KEY": "anything",
    "AWS_EC2_METADATA_DISABLED": "true",
}


class Host:
    """What a host has of its own, below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("home", "cache", "temporary", "spark", "work"):
            (folder / name).mkdir(parents=True)
        give_engine(folder / "cache" / "tierproof")

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its processes, without anything of ours but the way to Java."""
        kept = {name: os.environ[name] for name in ("PATH", "JAVA_HOME") if name in os.environ}
        return kept | {
            **KEYS,
            "HOME": str(self.folder / "home"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "TMPDIR": str(self.folder / "temporary"),
            "SPARK_LOCAL_DIRS": str(self.folder / "spark"),
            "SPARK_WORKER_DIR": str(self.folder / "work"),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": f"{SMALL} -Djava.io.tmpdir={self.folder / 'temporary'}",
        }


def give_engine(there: Path) -> None:
    """Give a cache the compiled engine, as a search from a wheel would: it takes half a minute."""
    known = Path(EngineFolder.from_function(give_engine, of_the_engine).get_cache_path())
    assert known.is_relative_to(cache())
    there.mkdir(mode=0o700)
    if known.is_dir():
        shutil.copytree(known, there / "numba" / engine_digest()[:16])


class Worker:
    """A worker of one core, with its executors and their Python workers."""

    def __init__(self, host: Host, address: str, master: str) -> None:
        self.host, self.address = host, address
        options = ("--host", address, "--cores", "1", "--memory", "1g", "--webui-port", "0")
        self.process = started(WORKER, *options, master, host=host)

    def kill(self) -> None:
        """kill -9 of all its processes, and its disks are gone."""
        ended(self.process)
        shutil.rmtree(self.host.folder)


class Cluster:
    """A store, a driver's host, and unless it `is_empty`, a master and two workers.

    `submitted` runs a command of tierproof on them. All of it ends with the context.
    """

    def __init__(
        self, folder: Path, python: Path, files: list[Path], *, is_empty: bool = False
    ) -> None:
        see_to_java()
        self.folder, self.python, self.files = folder, python, files
        self.is_empty = is_empty
        self.port, self.ui = free_port(), free_port()
        self.master = f"spark://127.0.0.1:{self.port}"
        self.workers: list[Worker] = []
        self.stack = ExitStack()

    def __enter__(self) -> "Cluster":
        try:
            self._start()
        except BaseException:
            self.stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def _start(self) -> None:
        self.stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        self.stack.callback(server.stop)
        self.store = "{}:{}".format(*server.get_host_and_port())
        request = urllib.request.Request(f"http://{self.store}/bucket", method="PUT")
        urllib.request.urlopen(request, timeout=SECONDS).close()
        self.driver = Host(self.folder / "driver")
        if not self.is_empty:
            self._start_spark()

    def _start_spark(self) -> None:
        web, host = free_port(), Host(self.folder / "master")
        options = ("--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(web))
        self.stack.callback(ended, started(MASTER, *options, host=host))
        wait_for(lambda: answered(f"http://127.0.0.1:{web}/json/"))
        for number in (2, 3):
            host = Host(self.folder / f"worker{number}")
            worker = Worker(host, f"127.0.0.{number}", self.master)
            self.workers.append(worker)
            self.stack.callback(ended, worker.process)
        wait_for(lambda: answered(f"http://127.0.0.1:{web}/json/")["aliveworkers"] == 2)
        self.entry = self.folder / "explore.py"
        self.entry.write_text("from tierproof.command_line.entry import main\n\nmain()\n")
        (self.folder / "events").mkdir()

    def run(self, name: str) -> str:
        """The address of a run in the store."""
        return f"s3://bucket/{name}?endpoint_override={self.store}&scheme=http&region=us-east-1"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the driver, whose Python is that of the executors."""
        return {**self.driver.environment, "PYSPARK_PYTHON": str(self.python)}

    @contextmanager
    def submitted(self, *arguments: str, **settings: str) -> Iterator[subprocess.Popen[str]]:
        """A driver that spark-submit runs with arguments of tierproof."""
        known = {
            "spark.executor.memory": "512m",
            "spark.executor.extraJavaOptions": SMALL,
            "spark.driver.extraJavaOptions": SMALL,
            "spark.ui.port": str(self.ui),
            "spark.eventLog.enabled": "true",
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": (self.folder / "events").as_uri(),
            **settings,
        }
        command = [str(SPARK / "bin" / "spark-submit"), "--master", self.master]
        for setting, value in known.items():
            command += ["--conf", f"{setting}={value}"]
        command += ["--py-files", ",".join(map(str, self.files)), str(self.entry), *arguments]
        process = subprocess.Popen(
            command,
            cwd=self.driver.folder / "work",
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "driver.txt").open("w"),
            start_new_session=True,
            text=True,
        )
        try:
            yield process
        finally:
            ended(process)

    def printed(self, process: subprocess.Popen[str]) -> str:
        """What a driver prints that comes to its end."""
        output, _ = process.communicate(timeout=SECONDS)
        errors = (self.folder / "driver.txt").read_text()
        assert process.returncode in (0, 1), errors  # 1: a property is violated
        return output

    def asked(self, path: str) -> Any:
        """What the driver's status API answers about its application; None if it does not."""
        base = f"http://127.0.0.1:{self.ui}/api/v1/applications"
        found = answered(base)
        return answered(f"{base}/{found[0]['id']}/{path}") if found else None

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The events of one kind, of all drivers."""
        lines = [
            line for path in (self.folder / "events").iterdir() for line in path.open() if line
        ]
        return [one for one in map(json.loads, lines) if one["Event"] == kind]

    def hosts_with_tasks(self) -> set[str]:
        """The workers that have ended a task."""
        return {one["Task Info"]["Host"] for one in self.events("SparkListenerTaskEnd")}


def started(*words: str, host: Host) -> subprocess.Popen[str]:
    """What `spark-class` starts, as a process of a host."""
    return subprocess.Popen(
        [str(SPARK / "bin" / "spark-class"), *words],
        cwd=host.folder / "work",
        env=host.environment,
        stdout=subprocess.DEVNULL,
        stderr=(host.folder.with_suffix(".txt")).open("w"),
        text=True,
    )


def ended(process: "subprocess.Popen[str]") -> None:
    """kill -9 of a process, and of all that it has started."""
    if process.poll() is None:
        for one in [process.pid, *descendants(process.pid)]:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
    process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 10):
        return True
    return False


def answered(address: str) -> Any:
    """The JSON at an address; None while there is none."""
    with suppress(OSError, ValueError), urllib.request.urlopen(address, timeout=10) as found:
        return json.load(found)
    return None


def wait_for(is_so: Callable[[], Any]) -> None:
    """Wait until something is so."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < SECONDS
        time.sleep(0.05)


def with_dependencies_only(folder: Path) -> Path:
    """A Python that has what tierproof needs, and not tierproof."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    # The .pth files of that folder, such as that of an editable tierproof, are not read.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin" / "python"


def packed(root: Path, *names: str, into: Path) -> Path:
    """A zip of modules, as --py-files takes it."""
    with zipfile.ZipFile(into, "w") as file:
        for name in names:
            file.write(root / name, name)
    return into
