"""The command prints a link that opens, on this machine alone, until Ctrl-C."""

import http.client
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.explorer.commands import tierproof
from tests.serve.asking import TANK

LINK = re.compile(r"http://127\.0\.0\.1:(\d+)(/[\w-]{32}/\S+)\n")


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """A process that serves, its port, and the path of its link."""
    command = [sys.executable, "-m", "tierproof", "serve", *arguments]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = LINK.fullmatch(line)
        assert found is not None, line
        yield process, int(found[1]), found[2]
    finally:
        process.kill()
        process.communicate()


def status_of(port: int, path: str, **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers=headers)
    return connection.getresponse().status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_link_opens_and_a_signal_ends_it_well(number):
    with served(TANK, "--scope", "storm") as (process, port, path):
        assert path.endswith(f"/walk?design={TANK}&scope=storm")
        assert status_of(port, path) == 200
        assert status_of(port, path.partition("?")[0].replace("walk", "x")) == 404
        assert status_of(port, "/") == 403
        assert status_of(port, path, Host="evil.example") == 403
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
    assert (errors, process.returncode) == ("", 0)
    assert output in ("", "Ctrl-C ends it.\n")  # the line may have come with the link


def test_it_is_bound_to_this_machine_alone():
    with served(TANK) as (_, port, _):
        with socket.create_connection(("127.0.0.1", port), timeout=10):
            pass
        with socket.socket() as other:  # another address of this machine
            assert other.connect_ex(("127.0.0.2", port)) != 0


def test_a_port_that_is_taken_is_said_to_be():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = tierproof("serve", TANK, "--port", str(port))
    assert done.returncode == 2
    assert f"port {port} cannot be used" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nobody",), "unknown design, trace, finding or run 'nobody'"),
        ((TANK, "--scope", "smal"), "did you mean small"),
        ((TANK, "nobody"), "unknown finding"),
        ((TANK, "nobody", "--scope", "small"), "--scope is for a design alone"),
        (("--variant", "one"), "--variant is for a design alone"),
        ((TANK, "--port", "0"), "--port"),
        ((TANK, "--set", "litres"), "--set takes bound=value"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, says):
    done = tierproof("serve", *arguments)
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())


def test_the_help_has_examples():
    for command in ("serve", "mcp"):
        assert (
            f"tierproof {command}" in tierproof(command, "--help").stdout.partition("Examples")[2]
        )


def test_without_its_packages_it_says_how_to_install_them(monkeypatch):
    from tierproof.spark_explorer import engines

    monkeypatch.setattr(engines, "find_spec", lambda name: None if name == "uvicorn" else object())
    done = tierproof("serve", TANK)
    assert "needs uvicorn: pip install 'tierproof[serve]'" in done.stderr
