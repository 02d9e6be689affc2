// Keeps the open findings of all clusters in SQLite: BROKERS=host:9092 DATABASE=findings.db npm
// start
const { followFindings, SqliteTable } =
  require('@ovn-steward/client') as typeof import('@ovn-steward/client');
const Database = require('better-sqlite3') as typeof import('better-sqlite3');
const { Kafka } = require('kafkajs') as typeof import('kafkajs');

const { BROKERS, DATABASE, GROUP, TOPIC, STATUS_TOPIC, SESSION_TIMEOUT_MS } = process.env;

followFindings({
  kafka: new Kafka({ clientId: 'my-tool', brokers: BROKERS!.split(',') }),
  table: new SqliteTable(new Database(DATABASE!)),
  groupId: GROUP ?? 'my-tool',
  sessionTimeout: Number(SESSION_TIMEOUT_MS ?? 45_000),
  // The status tells an empty table from blindness; without it, only findings are kept.
  topics: {
    findings: TOPIC ?? 'steward.findings.v1',
    ...(STATUS_TOPIC !== undefined && { status: STATUS_TOPIC }),
  },
}).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
