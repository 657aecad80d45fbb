"""Released Kafka by its Maven coordinates: the jars of a broker with LocalTieredStorage.

The jars are resolved once for each release; the class path is kept in a folder, and beside it the
compiled GatedStorage. Maven keeps the jars in its own repository and checks what it downloads.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tierproof.conformance.brokers.errors import CannotRun, NoSuchRelease

RELEASES = ("3.9.2", "4.3.1", "4.4.0")
"""The releases that a full run confirms findings on; the last is the newest."""

NEWEST = RELEASES[-1]
STORE = Path(__file__).parent / "store" / "GatedStorage.java"
"""The only Java that the project runs: a store with gates, compiled against each release."""

NO_MAVEN = (
    "there is no command {command!r}: released brokers are resolved by Maven and need a JDK; "
    "install both (Debian: apt-get install maven default-jdk-headless)"
)
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>tierproof</groupId><artifactId>broker</artifactId><version>{version}</version>
<dependencies>{dependencies}</dependencies></project>
"""


@dataclass(frozen=True)
class Artifact:
    """A jar that Maven knows; `without` names a dependency of it that is not published."""

    group: str
    name: str
    version: str
    classifier: str = ""
    without: str = ""

    @property
    def xml(self) -> str:
        """The artifact as a dependency of a POM."""
        classifier = f"<classifier>{self.classifier}</classifier>" if self.classifier else ""
        left_out = (
            f"<exclusions><exclusion><groupId>{self.group}</groupId>"
            f"<artifactId>{self.without}</artifactId></exclusion></exclusions>"
        )
        return (
            f"<dependency><groupId>{self.group}</groupId><artifactId>{self.name}</artifactId>"
            f"<version>{self.version}</version>{classifier}"
            f"{left_out if self.without else ''}</dependency>"
        )


@dataclass(frozen=True)
class Release:
    """A released version of Kafka, "4.4.0", from 3.9 on. Raises NoSuchRelease for another."""

    version: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\d+\.\d+\.\d+", self.version) or self.number < (3, 9):
            raise NoSuchRelease(
                f"{self.version!r} is no release that can be run: give one from 3.9.0 on, "
                f"such as {NEWEST}"
            )

    @property
    def number(self) -> tuple[int, int]:
        """Major and minor version."""
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)

    @property
    def artifacts(self) -> Iterator[Artifact]:
        """The jars of a broker with LocalTieredStorage, without what they depend on."""
        kafka = "org.apache.kafka"
        if self.number >= (4, 4):
            yield Artifact(kafka, "kafka_2.13", self.version, without="kafka-tools-api")
            yield Artifact(kafka, "kafka-storage", self.version, "test-fixtures")
        else:
            yield Artifact(kafka, "kafka_2.13", self.version)
            yield Artifact(kafka, "kafka-storage", self.version, "test")
        if self.number >= (4, 0):
            yield Artifact("org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.4")
        else:
            yield Artifact("org.slf4j", "slf4j-reload4j", "1.7.36")

    @property
    def pom(self) -> str:
        """The text of a POM that depends on all of them."""
        dependencies = "".join(one.xml for one in self.artifacts)
        return POM.format(version=self.version, dependencies=dependencies)


def class_path(release: Release, folder: Path) -> str:
    """The class path of a broker of that release, kept in `folder`.

    Raises CannotRun without Maven or a JDK, or if Maven does not find the release.
    """
    place = folder / release.version
    place.mkdir(parents=True, exist_ok=True)
    jars = _jars(release, place)
    classes = place / "classes"
    _compile(jars, classes)
    return f"{classes}{os.pathsep}{jars}"


def _jars(release: Release, place: Path) -> str:
    kept = place / "classpath"
    if kept.exists() and all(map(os.path.exists, kept.read_text("utf-8").split(os.pathsep))):
        return kept.read_text("utf-8")
    (place / "pom.xml").write_text(release.pom, "utf-8")
    made = place / "classpath.made"
    asked = ["dependency:build-classpath", f"-Dmdep.outputFile={made}"]
    _run(["mvn", "--batch-mode", "--quiet", "--file", str(place / "pom.xml"), *asked])
    made.replace(kept)
    return kept.read_text("utf-8")


def _compile(jars: str, classes: Path) -> None:
    made = classes / "tierproof" / "GatedStorage.class"
    if made.exists() and made.stat().st_mtime > STORE.stat().st_mtime:
        return
    _run(["javac", "-cp", jars, "-d", str(classes), str(STORE)])


def _run(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        raise CannotRun(NO_MAVEN.format(command=command[0]))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in f"{done.stdout}{done.stderr}".splitlines() if "ERROR" in line]
        raise CannotRun(f"{command[0]} failed: {said[0] if said else done.stderr.strip()}")
