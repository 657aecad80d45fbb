"""A store: named files in a folder of this machine, or of an object store that PyArrow speaks to.

An address is a path, or one of s3://, gs://, abfs:// and hdfs://, with the options of PyArrow's
`FileSystem.from_uri` (an S3 server of one's own: `?endpoint_override=HOST:PORT&scheme=http`).
"""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
from pyarrow import fs

from tierproof.model.language.errors import Misused, TierproofError

WITH_FOLDERS = ("local", "hdfs")
"""File systems where a folder has to be made, and a file is renamed in one step."""

MAKING = ".tmp"
"""The ending of a file that is about to be put."""


def reason_of(error: Exception) -> str:
    """Why a file was refused, in a line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).splitlines() or [type(error).__name__])[0]


class NotKept(TierproofError):
    """A run cannot be kept, or read, at an address; the message says why."""


class NoSuchRun(Misused):
    """An address has no run where one is asked for, or has one; the message says what to do."""


class Store:
    """Files by name below `address`. Errors are those of files: OSError.

    Raises NotKept for an address that PyArrow does not understand.
    """

    def __init__(self, address: str) -> None:
        self.address = address

    def __str__(self) -> str:
        return self.address

    @cached_property
    def _place(self) -> tuple[fs.FileSystem, str]:
        if "://" not in self.address:
            return fs.LocalFileSystem(), str(Path(self.address).absolute())
        try:
            return fs.FileSystem.from_uri(self.address)
        except (OSError, pa.ArrowException) as error:
            raise NotKept(f"there is no store at {self.address}: {reason_of(error)}") from None

    @property
    def files(self) -> fs.FileSystem:
        """The file system."""
        return self._place[0]

    @property
    def folder(self) -> Path | None:
        """The folder of this machine that it is, or None."""
        return Path(self._place[1]) if self.files.type_name == "local" else None

    def path(self, name: str = "") -> str:
        """The path of a file on the file system."""
        return f"{self._place[1]}/{name}" if name else self._place[1]

    def child(self, name: str) -> Store:
        """The store of a folder in this one."""
        before, mark, options = self.address.partition("?")
        return store_at(f"{before.rstrip('/')}/{name}{mark}{options}")

    def names(self, folder: str = "") -> list[str]:
        """The names of what is whole in a folder, sorted; none where there is no folder."""
        chosen = fs.FileSelector(self.path(folder), allow_not_found=True)
        names = [found.base_name for found in self.files.get_file_info(chosen)]
        return sorted(name for name in names if not name.endswith(MAKING))

    def sweep(self) -> None:
        """Remove what a process that died was about to put."""
        chosen = fs.FileSelector(self.path(), allow_not_found=True, recursive=True)
        for found in self.files.get_file_info(chosen):
            if found.path.endswith(MAKING):
                self.files.delete_file(found.path)

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return bool(self.files.get_file_info(self.path(name)).type == fs.FileType.File)

    def read(self, name: str) -> bytes:
        """A file. Raises FileNotFoundError."""
        with self.files.open_input_stream(self.path(name)) as file:
            return bytes(file.read())

    def put(self, name: str, content: bytes) -> None:
        """Write a file so that it is there as a whole or, after any death, as it was before."""
        if self.files.type_name not in WITH_FOLDERS:
            self._write(name, content)
            return
        making = f"{name}.{uuid4().hex}{MAKING}"
        self._write(making, content)
        self.files.move(self.path(making), self.path(name))

    def _write(self, name: str, content: bytes) -> None:
        with self.opened(name) as file:
            file.write(content)

    def opened(self, name: str) -> Any:
        """A new file, to be written; on an object store it is there once it is closed."""
        if self.files.type_name in WITH_FOLDERS:
            self.files.create_dir(self.path(name).rpartition("/")[0], recursive=True)
        return self.files.open_output_stream(self.path(name))

    def remove(self, name: str) -> None:
        """Remove a file."""
        self.files.delete_file(self.path(name))


@cache
def store_at(address: str) -> Store:
    """The store at an address, one for each in a process."""
    return Store(address)
