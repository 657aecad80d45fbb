"""A properties file of Kafka's tools is obeyed by librdkafka, or refused by the property's name."""

import pytest

from tierproof.conformance.audit.reading import NotReadable, read_live
from tierproof.conformance.audit.reading.client_properties import client_settings


def settings(tmp_path, text):
    path = tmp_path / "client.properties"
    path.write_text(text)
    return client_settings(path)


def test_tls_and_a_password(tmp_path):
    found = settings(
        tmp_path,
        r"""
# as kafka-console-consumer.sh --command-config takes it
security.protocol=SASL_SSL
sasl.mechanism : SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \
    username="operator" password="a \\"quoted\\" one";
ssl.truststore.type=PEM
ssl.truststore.location=/etc/kafka/ca.pem
ssl.endpoint.identification.algorithm=
group.id=somebody
""",
    )
    assert found == {
        "security.protocol": "SASL_SSL",
        "sasl.mechanisms": "SCRAM-SHA-512",
        "sasl.username": "operator",
        "sasl.password": 'a "quoted" one',
        "ssl.ca.location": "/etc/kafka/ca.pem",
        "ssl.endpoint.identification.algorithm": "none",
    }


def test_a_certificate_of_the_client(tmp_path):
    text = "ssl.keystore.type=PKCS12\nssl.keystore.location=/k.p12\nssl.keystore.password=secret\n"
    assert settings(tmp_path, text) == {
        "ssl.keystore.location": "/k.p12",
        "ssl.keystore.password": "secret",
    }


def test_a_token_endpoint(tmp_path):
    text = (
        "sasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.token.endpoint.url=https\\://id/token\n"
        "sasl.jaas.config=x.OAuthBearerLoginModule required clientId='a' clientSecret='b';\n"
    )
    assert settings(tmp_path, text) == {
        "sasl.mechanisms": "OAUTHBEARER",
        "sasl.oauthbearer.method": "oidc",
        "sasl.oauthbearer.token.endpoint.url": "https://id/token",
        "sasl.oauthbearer.client.id": "a",
        "sasl.oauthbearer.client.secret": "b",
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("interceptor.classes=x.Y", "the property interceptor.classes cannot be obeyed"),
        ("sasl.login.callback.handler.class=x.Y", "sasl.login.callback.handler.class cannot"),
        ("ssl.truststore.location=/t.jks", "store of type JKS"),
        ("ssl.keystore.location=/t.jks", "store of type JKS"),
        ("ssl.truststore.password=x", "ssl.truststore.password opens a store"),
        ("sasl.jaas.config=x.Module required;", "x.Module with no username and password"),
    ],
)
def test_what_cannot_be_obeyed_is_refused_by_name(text, words, tmp_path):
    with pytest.raises(NotReadable, match=words):
        settings(tmp_path, text)


def test_a_cluster_that_does_not_answer_is_said_in_a_sentence(tmp_path, monkeypatch):
    pytest.importorskip("confluent_kafka")
    monkeypatch.setattr("tierproof.conformance.audit.reading.live.SECONDS_TO_CONNECT", 1.0)
    with pytest.raises(NotReadable, match=r"127\.0\.0\.1:1 does not answer: .*refused"):
        read_live("127.0.0.1:1", tmp_path / "out")
