"""From LLVM text to addresses: optimised, compiled, kept on disk, loaded.

The text of a module is the whole of what its code depends on, but for the machine and the
compiler: a digest of all these names the object file, so that nothing stale can be loaded.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from spark_explorer.compiler.storage import folder

LEVEL = 2
"""How hard LLVM optimises; see benchmarks/README.md."""


@dataclass(frozen=True)
class Loaded:
    """Machine code in this process: the addresses of its entry points.

    `seconds` is what it took to compile, or to load if `was_kept`; `key` names it on disk.
    """

    key: str
    addresses: Mapping[str, int]
    seconds: float
    was_kept: bool


_ENGINES: dict[str, tuple[Any, Loaded]] = {}
"""Everything that was loaded, for good: its addresses are in use for as long as we run."""
_LOCK = threading.Lock()


def load(text: str, names: tuple[str, ...]) -> Loaded:
    """The machine code of an LLVM module, with the addresses of the functions `names`."""
    began = time.perf_counter()
    key = key_of(text)
    with _LOCK:
        if key not in _ENGINES:
            path = folder() / "native" / f"{key}.o"
            code = _kept(path)
            was_kept = code is not None
            if code is None:
                code = _compiled(text)
                _keep(path, code)
            engine = _engine(code)
            addresses = {name: engine.get_function_address(name) for name in names}
            seconds = time.perf_counter() - began
            _ENGINES[key] = engine, Loaded(key, addresses, seconds, was_kept)
        return _ENGINES[key][1]


def key_of(text: str) -> str:
    """What names the machine code of a module on this machine."""
    machine, features = _host()
    parts = (machine, features, llvmlite.__version__, str(llvm.llvm_version_info), str(LEVEL), text)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=1)
def _host() -> tuple[str, str]:
    """The processor and its features."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@lru_cache(maxsize=1)
def _machine() -> Any:
    """LLVM's machine for this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name, features = _host()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=name, features=features, opt=LEVEL, codemodel="jitdefault", jit=True
    )


def _compiled(text: str) -> bytes:
    """Optimise a module and compile it to an object file. LLVM's verifier always runs."""
    machine = _machine()
    module = llvm.parse_assembly(text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _engine(code: bytes) -> Any:
    """An execution engine that holds the code."""
    _machine()
    empty = llvm.parse_assembly("")
    machine = llvm.Target.from_default_triple().create_target_machine(
        codemodel="jitdefault", jit=True
    )
    engine = llvm.create_mcjit_compiler(empty, machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


SEAL = 32


def _kept(path: Path) -> bytes | None:
    """The object file that is kept, if it is there and whole."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    seal, code = content[:SEAL], content[SEAL:]
    return code if hashlib.sha256(code).digest() == seal else None


def _keep(path: Path, code: bytes) -> None:
    """Put an object file on disk, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        file.write(hashlib.sha256(code).digest() + code)
    Path(name).replace(path)
