"""A result is printed whatever the terminal's encoding is."""

import io
import os
import subprocess
import sys

import pytest

from tests.explorer.test_command_line import JUGS
from tierproof.command_line.printable import make_printable


def printed(text: str, encoding: str) -> str:
    bytes_ = io.BytesIO()
    stream = io.TextIOWrapper(bytes_, encoding=encoding)
    make_printable(stream)
    stream.write(text)
    stream.flush()
    return bytes_.getvalue().decode(encoding)


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [
        ("latin-1", "small: 0 → 5 ×", "small: 0 -> 5 ×"),
        ("ascii", "é × ✓ 漢", "e x yes ?"),
        ("utf-8", "0 → 5", "0 → 5"),
        ("utf-8", "a name \udcff of other bytes", "a name ? of other bytes"),
    ],
)
def test_what_an_encoding_lacks_is_printed_with_other_signs(encoding, text, shown):
    assert printed(text, encoding) == shown


def test_an_exploration_in_a_latin_1_terminal_prints_its_trace_and_writes_it_in_utf_8(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tierproof", "explore", JUGS, "--out", str(tmp_path)],
        env={
            **os.environ,
            "PYTHONIOENCODING": "latin-1",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "LC_ALL": "C",
        },
        capture_output=True,
        encoding="latin-1",
    )
    assert done.returncode == 1
    assert "big: 0 -> 5" in done.stdout
    assert "big: 0 → 5" in (tmp_path / "never_four.txt").read_text("utf-8")
