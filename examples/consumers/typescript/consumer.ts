// Keeps the open findings of all clusters in SQLite: BROKERS=host:9092 DATABASE=findings.db npm start
const { readFileSync } = require('node:fs') as typeof import('node:fs');
const { join } = require('node:path') as typeof import('node:path');
const Database = require('better-sqlite3') as typeof import('better-sqlite3');
const { Kafka } = require('kafkajs') as typeof import('kafkajs');

type Message = Pick<import('kafkajs').KafkaMessage, 'key' | 'value' | 'offset'>;
/** What this tool needs of a finding; the rest of it stays in the document. */
interface Finding {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
}

const topic = process.env['TOPIC'] ?? 'steward.findings.v1';
const database = new Database(process.env['DATABASE']!, { timeout: 30_000 });
database.pragma('journal_mode = WAL');
database.exec(readFileSync(join(__dirname, '../schema.sql'), 'utf8'));

const positionOf = database
  .prepare('SELECT next FROM position WHERE topic_partition = ?')
  .pluck() as import('better-sqlite3').Statement<[number], number>;
const resumable = database
  .prepare('SELECT next FROM resumable WHERE topic_partition = ?')
  .pluck() as typeof positionOf;
const move = database.prepare(
  'INSERT OR REPLACE INTO position (topic_partition, next) VALUES (?, ?)',
);
const forget = database.prepare('DELETE FROM finding WHERE id = ?');
const setAside = database.prepare('INSERT OR IGNORE INTO poison VALUES (?, ?, ?)');
const keep = database.prepare(`INSERT INTO finding VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
  SET revision = excluded.revision, state = excluded.state, document = excluded.document
  WHERE excluded.revision > finding.revision`);

/** @throws Error for what is no finding under its own key. */
function read({ key, value }: Message): Finding {
  const { data } = JSON.parse(String(value)) as { data: Finding };
  if (data.id !== String(key) || !Number.isInteger(data.revision) || typeof data.state !== 'string')
    throw new Error('it is no finding under its own key');
  return data;
}

/** Applies records and moves the position past them, in one transaction. */
const take = database.transaction((partition: number, messages: readonly Message[]) => {
  for (const message of messages) {
    const next = Number(message.offset) + 1;
    if (next <= (positionOf.get(partition) ?? 0)) continue; // another member of the group had it before us
    if (message.value === null) forget.run(String(message.key));
    else
      try {
        const it = read(message);
        keep.run(it.id, partition, it.revision, it.state, JSON.stringify(it));
      } catch (error) {
        setAside.run(partition, next, String(error));
      }
    move.run(partition, next);
  }
});

const startAnew = database.transaction((partition: number) => {
  database.prepare('DELETE FROM finding WHERE topic_partition = ?').run(partition);
  database.prepare('DELETE FROM position WHERE topic_partition = ?').run(partition);
});

async function main(): Promise<void> {
  const kafka = new Kafka({ clientId: 'my-tool', brokers: process.env['BROKERS']!.split(',') });
  const [consumer, admin] = [
    kafka.consumer({
      groupId: process.env['GROUP'] ?? 'my-tool',
      sessionTimeout: Number(process.env['SESSION_TIMEOUT_MS'] ?? 45_000),
    }),
    kafka.admin(),
  ];
  await Promise.all([consumer.connect(), admin.connect()]);
  const held = await admin.fetchTopicOffsets(topic);
  /** Where the database stopped; the beginning where the log no longer has that place. */
  const resumeAt = (partition: number): string => {
    const low = held.find((it) => it.partition === partition)!.low;
    const next = resumable.get(partition);
    if (next !== undefined && next >= Number(low)) return String(next);
    startAnew(partition);
    return low;
  };
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    for (const partition of payload.memberAssignment[topic] ?? [])
      consumer.seek({ topic, partition, offset: resumeAt(partition) });
  });
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    eachBatch: async ({ batch: { partition, messages }, resolveOffset, heartbeat, isStale }) => {
      if (isStale()) return;
      take(partition, messages);
      resolveOffset(messages.at(-1)!.offset);
      await heartbeat();
    },
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
