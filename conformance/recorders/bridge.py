"""Exact calls of the classes of one release: what Kafka throws is an answer, all else is refused.

Methods are called by reflection: most of them are private to their package. Py4J turns a Python
integer into an Integer and a Long that it returns into a Python integer, so a Long never passes
through Python: maps of them are filled within the machine, and checked there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JJavaError

from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.releases import Release
from tierproof.model.language import TierproofError

LARGEST_OFFSET = 1 << 20
"""Offsets of questions are far below; the table of Longs is no larger."""

PRIMITIVE = {"int": "Integer", "long": "Long", "boolean": "Boolean"}
OBJECT = "java.lang.Object"


class CannotRecord(TierproofError):
    """A question cannot be asked, or its answer cannot be told, exactly; the message says which."""


class Thrown(Exception):
    """A method of Kafka threw: the simple name of the exception, and its message, if it has one."""

    def __init__(self, name: str, message: str | None) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message


class Classes:
    """The classes of a release in a running machine."""

    def __init__(self, jvm: Jvm, release: Release) -> None:
        self.jvm = jvm
        self.release = release
        self.java: Any = jvm.classes.java
        self.kafka: Any = jvm.classes.org.apache.kafka
        self.segments: Any = self.kafka.server.log.remote.storage
        self._class: Any = self.java.lang.Class
        self._object: Any = self.java.lang.Object
        self._hash_map: Any = self.java.util.HashMap
        self._properties: Any = self.java.util.Properties
        stream = self.java.util.stream.LongStream
        self._longs = stream.range(0, LARGEST_OFFSET).boxed().toList()
        self._put = self.method("java.util.Map", "put", OBJECT, OBJECT)
        self._values = self.method("java.util.Map", "values")
        self.lineage = cache(self._lineage)
        self.numbers = cache(self.arguments)

    def method(self, kind: str, name: str, *types: str) -> Any:
        """A method of a class, private or not. Raises CannotRecord if the release has none."""
        try:
            parameters = self.jvm.array(self._class, *map(self._kind, types))
            found = self._class.forName(kind).getDeclaredMethod(name, parameters)
        except Py4JJavaError as error:
            raise CannotRecord(
                f"Kafka {self.release.version} has no {kind}#{name}({', '.join(types)}): {error}"
            ) from error
        if not kind.startswith("java."):
            found.setAccessible(True)
        return found

    def field(self, kind: str, name: str, target: Any) -> Any:
        """The value of a field, private or not. Raises CannotRecord if the release has none."""
        try:
            found = self._class.forName(kind).getDeclaredField(name)
            found.setAccessible(True)
            return found.get(target)
        except Py4JJavaError as error:
            raise CannotRecord(
                f"Kafka {self.release.version} has no {kind}.{name}: {error}"
            ) from error

    def arguments(self, *values: Any) -> Any:
        """The arguments of a call. An integer is an Integer, which a long parameter takes, too."""
        return self.jvm.array(self._object, *values)

    def call(self, method: Any, target: Any, arguments: Any = None) -> Any:
        """What the method returns. Raises Thrown if the method itself throws."""
        try:
            return method.invoke(target, arguments)
        except Py4JJavaError as error:
            thrown: JavaObject = error.java_exception
            if thrown.getClass().getSimpleName() != "InvocationTargetException":
                raise  # the call did not reach the method
            cause = thrown.getCause()
            raise Thrown(cause.getClass().getSimpleName(), cause.getMessage()) from error

    def strings(self, values: Mapping[str, str], as_properties: bool = False) -> Any:
        """Strings as a java.util.HashMap, or as Properties."""
        made = self._properties() if as_properties else self._hash_map()
        for name, value in values.items():
            made.put(name, value)
        return made

    def _kind(self, name: str) -> Any:
        if name in PRIMITIVE:
            return getattr(self.java.lang, PRIMITIVE[name]).TYPE
        return self._class.forName(name)

    def _lineage(self, words: str) -> Any:
        """`0:0,1:20` as a TreeMap of Integer and Long. Nobody changes it: it is kept."""
        made, count = self.java.util.TreeMap(), 0
        for entry in filter(None, words.split(",")):
            epoch, start = map(int, entry.split(":"))
            if not 0 <= start < LARGEST_OFFSET:
                raise CannotRecord(f"offset {start} of {words!r} is outside the table of Longs")
            pair = self.java.util.ArrayList()
            pair.add(epoch)
            pair.addAll(self._longs.subList(start, start + 1))
            self._put.invoke(made, pair.toArray())
            count += 1
        if made.size() != count or not self._longs.containsAll(self._values.invoke(made, None)):
            raise CannotRecord(f"{words!r} cannot be passed as a map of Integer and Long")
        return made
