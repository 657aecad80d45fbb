"""From LLVM text to addresses: optimised, compiled, kept on disk, loaded.

A search begins with quick code; if it turns out to be long, thorough code is compiled in parallel
and then used. Machine code depends only on its source, the machine and LLVM: a digest of these
names the object file, so a stale file is never loaded.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from tierproof.spark_explorer.compiler.storage import folder, held, read_sealed, write_sealed

QUICK, THOROUGH = 0, 2
"""LLVM's effort: code that is available at once, or code that runs twice as fast."""


@dataclass(frozen=True)
class Loaded:
    """Machine code in this process: the addresses of its entry points.

    `seconds` is the time to compile it, or to load it if `was_kept`.
    """

    level: int
    addresses: Mapping[str, int]
    seconds: float
    was_kept: bool


@dataclass(frozen=True)
class Source:
    """What machine code is made of: `key` says all that its text depends on; its entries."""

    key: str
    names: tuple[str, ...]
    write: Callable[[], str]

    @classmethod
    def of(cls, text: str, names: tuple[str, ...]) -> Source:
        """A text that is written already."""
        return cls(text, names, lambda: text)


_ENGINES: dict[str, tuple[Any, Loaded]] = {}
"""All loaded code; but for passing code it is held until the process ends, as it may be called."""


_PASSING: list[None] = []
"""Not empty while code is passing."""


@contextmanager
def passing() -> Iterator[None]:
    """Meanwhile, code that is compiled is not kept on disk, and is released at the end.

    None of it may be called afterwards.
    """
    before = set(_ENGINES)
    _PASSING.append(None)
    try:
        yield
    finally:
        _PASSING.pop()
        for key in set(_ENGINES) - before:
            del _ENGINES[key]


def kept(source: Source) -> Loaded | None:
    """The thorough code of a source, if it was compiled before."""
    return _known(source, THOROUGH)


def load(source: Source, level: int) -> Loaded:
    """The machine code of an LLVM module, with the addresses of its entries."""
    known = _known(source, level)
    if known is not None:
        return known
    with held(key_of(source.key, level)):
        return _known(source, level) or _made(source, level)


def _made(source: Source, level: int) -> Loaded:
    """Code that is compiled now, and kept."""
    began = time.perf_counter()
    code = _compiled(source.write(), level)
    if not _PASSING:
        write_sealed(_path(source.key, level), code)
    return _loaded(source, code, level, began, was_kept=False)


def _known(source: Source, level: int) -> Loaded | None:
    """Code that this process has loaded, or that is on disk."""
    began, key = time.perf_counter(), key_of(source.key, level)
    if key in _ENGINES:
        return _ENGINES[key][1]
    code = read_sealed(_path(source.key, level))
    return None if code is None else _loaded(source, code, level, began, was_kept=True)


def _loaded(source: Source, code: bytes, level: int, began: float, *, was_kept: bool) -> Loaded:
    engine, key = _engine(code), key_of(source.key, level)
    addresses = {name: engine.get_function_address(name) for name in source.names}
    found = Loaded(level, addresses, time.perf_counter() - began, was_kept)
    # If two threads load it at once, both results are valid; keep both engines alive.
    return _ENGINES.setdefault(key if key not in _ENGINES else f"{key}'", (engine, found))[1]


def _path(key: str, level: int) -> Path:
    return folder() / "native" / f"{key_of(key, level)}.o"


def key_of(text: str, level: int) -> str:
    """The digest that names the machine code of a source on this machine."""
    machine, features = _host()
    parts = (machine, features, llvmlite.__version__, str(llvm.llvm_version_info), str(level), text)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=1)
def _host() -> tuple[str, str]:
    """The processor and its features."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _machine(level: int) -> Any:
    """LLVM's machine for this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name, features = _host()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=name, features=features, opt=level, codemodel="jitdefault", jit=True
    )


def _compiled(text: str, level: int) -> bytes:
    """Optimise a module and compile it to an object file. LLVM's verifier always runs."""
    machine, module = _machine(level), llvm.parse_assembly(text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _engine(code: bytes) -> Any:
    """An execution engine that holds the code."""
    machine = _machine(QUICK)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine
