"""A properties file of Kafka's Java clients, as settings of librdkafka."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tierproof.conformance.audit.reading.splits import NotReadable

AS_THEY_ARE = (
    "client.id",
    "client.rack",
    "security.protocol",
    "sasl.oauthbearer.method",
    "sasl.oauthbearer.client.id",
    "sasl.oauthbearer.client.secret",
    "sasl.oauthbearer.scope",
    "sasl.oauthbearer.extensions",
    "sasl.kerberos.service.name",
    "ssl.cipher.suites",
    "ssl.key.password",
    "fetch.min.bytes",
    "fetch.max.bytes",
    "max.partition.fetch.bytes",
    "check.crcs",
    "reconnect.backoff.ms",
    "reconnect.backoff.max.ms",
    "retry.backoff.ms",
    "metadata.max.age.ms",
    "connections.max.idle.ms",
    "socket.connection.setup.timeout.ms",
)
"""Properties that both have under one name."""

RENAMED = {
    "sasl.mechanism": "sasl.mechanisms",
    "ssl.truststore.certificates": "ssl.ca.pem",
    "ssl.keystore.certificate.chain": "ssl.certificate.pem",
    "ssl.keystore.key": "ssl.key.pem",
    "receive.buffer.bytes": "socket.receive.buffer.bytes",
    "send.buffer.bytes": "socket.send.buffer.bytes",
    "fetch.max.wait.ms": "fetch.wait.max.ms",
    "request.timeout.ms": "socket.timeout.ms",
}
"""Name in Java -> name in librdkafka."""

WITHOUT_EFFECT = (
    "auto.offset.reset",
    "bootstrap.servers",
    "enable.auto.commit",
    "group.id",
    "isolation.level",
    "key.deserializer",
    "value.deserializer",
    "max.poll.records",
)
"""Properties of a consumer that a reading decides itself; they are no fault in a file."""

LOGIN = re.compile(r"(\w+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)')")


def properties_of(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of a Java properties file: comments, continued lines, `=`, `:` or blanks."""
    joined = re.sub(r"(?<!\\)((?:\\\\)*)\\\r?\n[ \t\f]*", r"\1", text)
    for line in joined.splitlines():
        line = line.strip()
        if line and line[0] not in "#!":
            found = re.match(r"((?:\\.|[^\\=:\s])+)\s*[=:]?\s*(.*)", line)
            if found:
                yield _unescaped(found[1]), _unescaped(found[2])


def _unescaped(text: str) -> str:
    named = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
    unicode = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return re.sub(r"\\(.)", lambda found: named.get(found[1], found[1]), unicode)


def client_settings(path: Path | None) -> dict[str, str]:
    """The settings of librdkafka for a properties file as Kafka's tools take it.

    Raises NotReadable for a property that it cannot obey, by name.
    """
    if path is None:
        return {}
    try:
        given = dict(properties_of(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(f"{path} cannot be read: {error}") from error
    settings: dict[str, str] = {}
    for name, value in given.items():
        if name not in WITHOUT_EFFECT:
            settings |= _setting(name, value, given)
    return settings


def _setting(name: str, value: str, given: dict[str, str]) -> dict[str, str]:
    if name in AS_THEY_ARE:
        return {name: value}
    if name in RENAMED:
        return {RENAMED[name]: value}
    if name in BY_RULE:
        return BY_RULE[name](value, given)
    raise NotReadable(
        f"the property {name} cannot be obeyed here: librdkafka has none like it. Remove it, or "
        "read the partition folders of a broker"
    )


def _login(value: str, given: dict[str, str]) -> dict[str, str]:
    """`sasl.jaas.config`: the login module's options."""
    options = {
        name: re.sub(r"\\(.)", r"\1", double or single)
        for name, double, single in LOGIN.findall(value)
    }
    if "username" in options and "password" in options:
        return {"sasl.username": options["username"], "sasl.password": options["password"]}
    if "clientId" in options and "clientSecret" in options:
        return {
            "sasl.oauthbearer.client.id": options["clientId"],
            "sasl.oauthbearer.client.secret": options["clientSecret"],
        }
    if "keyTab" in options or "principal" in options:
        names = {"keyTab": "sasl.kerberos.keytab", "principal": "sasl.kerberos.principal"}
        return {ours: options[theirs] for theirs, ours in names.items() if theirs in options}
    module = value.split()[0] if value.split() else "an empty value"
    raise NotReadable(
        f"sasl.jaas.config names {module} with no username and password, clientId and "
        "clientSecret, or keyTab: no other login is possible here"
    )


def _identification(value: str, _: dict[str, str]) -> dict[str, str]:
    return {"ssl.endpoint.identification.algorithm": value.lower() or "none"}


def _trust_store(value: str, given: dict[str, str]) -> dict[str, str]:
    kind = given.get("ssl.truststore.type", "JKS").upper()
    if kind != "PEM":
        raise NotReadable(
            f"ssl.truststore.location is a store of type {kind}, which only Java reads: give "
            "ssl.truststore.type=PEM and the certificates as PEM"
        )
    return {"ssl.ca.location": value}


def _key_store(value: str, given: dict[str, str]) -> dict[str, str]:
    kind = given.get("ssl.keystore.type", "JKS").upper()
    if kind == "PKCS12":
        return {"ssl.keystore.location": value}
    if kind == "PEM":
        return {"ssl.certificate.location": value, "ssl.key.location": value}
    raise NotReadable(
        f"ssl.keystore.location is a store of type {kind}, which only Java reads: give "
        "ssl.keystore.type=PEM or PKCS12"
    )


def _known_type(value: str, given: dict[str, str]) -> dict[str, str]:
    if value.upper() not in ("PEM", "PKCS12", "JKS"):
        raise NotReadable(f"the store type {value} is not known: give PEM or PKCS12")
    return {}


def _key_store_password(value: str, given: dict[str, str]) -> dict[str, str]:
    kind = given.get("ssl.keystore.type", "JKS").upper()
    return {"ssl.keystore.password": value} if kind == "PKCS12" else {}


def _trust_store_password(value: str, given: dict[str, str]) -> dict[str, str]:
    raise NotReadable(
        "ssl.truststore.password opens a store that only Java reads: give "
        "ssl.truststore.type=PEM, which has no password"
    )


def _token_endpoint(value: str, _: dict[str, str]) -> dict[str, str]:
    return {
        "sasl.oauthbearer.method": "oidc",
        "sasl.oauthbearer.token.endpoint.url": value,
    }


BY_RULE: dict[str, Callable[[str, dict[str, str]], dict[str, str]]] = {
    "sasl.jaas.config": _login,
    "sasl.oauthbearer.token.endpoint.url": _token_endpoint,
    "ssl.endpoint.identification.algorithm": _identification,
    "ssl.truststore.location": _trust_store,
    "ssl.truststore.password": _trust_store_password,
    "ssl.truststore.type": _known_type,
    "ssl.keystore.location": _key_store,
    "ssl.keystore.password": _key_store_password,
    "ssl.keystore.type": _known_type,
}
"""Properties whose value, or that of another, decides what they become."""
