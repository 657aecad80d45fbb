"""A Java virtual machine beside us, with the classes of one release, through Py4J."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from py4j.java_gateway import (
    GatewayParameters,
    JavaClass,
    JavaGateway,
    JavaObject,
    launch_gateway,
)
from py4j.protocol import Py4JJavaError

from tierproof.conformance.brokers import running
from tierproof.conformance.brokers.errors import Refused

OPTIONS = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]


class Jvm:
    """A running machine; `classes` is the root of its packages. It ends with this process."""

    def __init__(self, class_path: str) -> None:
        running.check()
        # Py4J gives the root logger a traceback for each call that ending the machine cuts short.
        logging.getLogger().addHandler(logging.NullHandler())
        # In a process group of its own, Ctrl-C ends it no sooner than we do.
        port, token, process = launch_gateway(
            classpath=class_path,
            javaopts=OPTIONS,
            die_on_exit=True,
            create_new_process_group=True,
            enable_auth=True,
            return_proc=True,
        )
        self._process = process
        running.note(process)
        self._gateway = JavaGateway(
            gateway_parameters=GatewayParameters(port=port, auth_token=token)
        )
        self.classes: Any = self._gateway.jvm

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the machine."""
        running.end(self._process)
        # Else Py4J would give back each object of ours to a machine that is gone.
        self._gateway._gateway_client.is_connected = False

    @property
    def records(self) -> Any:
        """The package of Kafka's record classes; later releases have it as an internal one."""
        package = self.classes.org.apache.kafka.common.record
        is_internal = isinstance(package.internal.MemoryRecords, JavaClass)
        return package.internal if is_internal else package

    def array(self, kind: Any, *values: Any) -> Any:
        """A Java array."""
        made = self._gateway.new_array(kind, len(values))
        for i, value in enumerate(values):
            made[i] = value
        return made

    def map(self, values: dict[Any, Any]) -> Any:
        """A java.util.HashMap."""
        made = self.classes.java.util.HashMap()
        for key, value in values.items():
            made.put(key, value)
        return made

    def list(self, values: list[Any]) -> Any:
        """A java.util.ArrayList."""
        made = self.classes.java.util.ArrayList()
        for value in values:
            made.add(value)
        return made

    def static(self, kind: str, method: str, value: int) -> Any:
        """Call a static method of one long; by reflection, where an instance's has its name."""
        long = self.classes.java.lang.Long
        found = self.classes.java.lang.Class.forName(kind)
        kinds = self.array(self.classes.java.lang.Class, long.TYPE)
        values = self.array(self.classes.java.lang.Object, long.valueOf(str(value)))
        return found.getMethod(method, kinds).invoke(None, values)

    @staticmethod
    def iterated(values: Any) -> Iterator[Any]:
        """What a java.lang.Iterable has, one after the other."""
        left = values.iterator()
        while left.hasNext():
            yield left.next()

    def each(self, values: Any) -> Any:
        """The elements of any java.util.Collection."""
        return self.classes.java.util.ArrayList(values)


def refusal(error: Py4JJavaError) -> Refused:
    """The innermost Java exception, as ours."""
    found: JavaObject = error.java_exception
    while found.getCause() is not None:
        found = found.getCause()
    name = found.getClass().getSimpleName().removesuffix("Exception")
    return Refused(name, str(found.getMessage()))
