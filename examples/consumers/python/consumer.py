"""Keeps the open findings of all clusters in SQLite: BROKERS=host:9092 DATABASE=findings.db python consumer.py"""

import json
import os
import pathlib
import sqlite3

from confluent_kafka import Consumer, KafkaException, TopicPartition

TOPIC = os.environ.get("TOPIC", "steward.findings.v1")
SCHEMA = pathlib.Path(__file__).parent.parent / "schema.sql"

database = sqlite3.connect(os.environ["DATABASE"], isolation_level=None, timeout=30)
database.executescript(SCHEMA.read_text())


def take(message):
    """Applies one record and moves the position past it, in the caller's transaction."""
    partition, offset = message.partition(), message.offset()
    row = database.execute(
        "SELECT next FROM position WHERE topic_partition = ?", (partition,)
    ).fetchone()
    if row and offset < row[0]:
        return  # another member of the group had it before us
    identifier = (message.key() or b"").decode(errors="replace")
    if message.value() is None:
        database.execute("DELETE FROM finding WHERE id = ?", (identifier,))
    else:
        try:
            keep(partition, identifier, json.loads(message.value())["data"])
        except (ValueError, LookupError, TypeError) as error:
            database.execute(
                "INSERT OR IGNORE INTO poison VALUES (?, ?, ?)", (partition, offset + 1, repr(error))
            )
    database.execute(
        "INSERT OR REPLACE INTO position (topic_partition, next) VALUES (?, ?)",
        (partition, offset + 1),
    )


def keep(partition, identifier, finding):
    """Keeps a finding where it is newer than what is known of it."""
    revision, state = finding["revision"], finding["state"]
    if finding["id"] != identifier or not isinstance(revision, int) or not isinstance(state, str):
        raise ValueError("it is no finding under its own key")
    database.execute(
        """INSERT INTO finding VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
           SET revision = excluded.revision, state = excluded.state, document = excluded.document
           WHERE excluded.revision > finding.revision""",
        (identifier, partition, revision, state, json.dumps(finding)),
    )


def resume(consumer, partitions):
    """Goes on where the database stopped; from the beginning where the log no longer has that place."""
    for it in partitions:
        low, high = consumer.get_watermark_offsets(TopicPartition(TOPIC, it.partition), timeout=30)
        row = database.execute(
            "SELECT next FROM resumable WHERE topic_partition = ?", (it.partition,)
        ).fetchone()
        it.offset = row[0] if row and low <= row[0] <= high else low
        if row is None or it.offset != row[0]:
            database.execute("BEGIN IMMEDIATE")
            database.execute("DELETE FROM finding WHERE topic_partition = ?", (it.partition,))
            database.execute("DELETE FROM position WHERE topic_partition = ?", (it.partition,))
            database.execute("COMMIT")
    consumer.assign(partitions)


def main():
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["BROKERS"],
            "group.id": os.environ.get("GROUP", "my-tool"),
            "session.timeout.ms": int(os.environ.get("SESSION_TIMEOUT_MS", "45000")),
            "enable.auto.commit": False,
            "auto.offset.reset": "error",
        }
    )
    consumer.subscribe([TOPIC], on_assign=resume)
    while True:
        messages = consumer.consume(500, timeout=1)
        for message in messages:
            if message.error():
                raise KafkaException(message.error())
        if not messages:
            continue
        database.execute("BEGIN IMMEDIATE")
        for message in messages:
            take(message)
        database.execute("COMMIT")


if __name__ == "__main__":
    main()
