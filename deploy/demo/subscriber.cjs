#!/usr/bin/env node
// Prints findings as they appear on their topic: all there is to subscribing to them. Needs kafkajs
// and nothing of ours. When anything goes wrong it ends with 1; whoever runs it starts it again,
// and its group goes on where it was.
const { setTimeout: sleep } = require('node:timers/promises');
const { Kafka, logLevel } = require('kafkajs');
const { findingLine } = require('./finding-line.cjs');

const TOPIC = 'steward.findings.v1';
const RETRY_MS = 1000;

const brokers = (process.env.DEMO_BROKERS ?? 'localhost:9092').split(',');
const kafka = new Kafka({
  clientId: 'findings-demo',
  brokers,
  logLevel: logLevel.NOTHING,
  retry: { retries: 2 },
});
const consumer = kafka.consumer({ groupId: 'findings-demo' });

/** Until the brokers answer and the analyzer made its topic. */
async function subscribed() {
  for (let tries = 0; ; tries++) {
    try {
      await consumer.connect();
      return await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
    } catch (error) {
      if (tries === 0)
        process.stdout.write(`waiting for ${TOPIC} on ${brokers.join(', ')} (${error.message})\n`);
      await sleep(RETRY_MS);
    }
  }
}

async function main() {
  for (const it of ['SIGTERM', 'SIGINT'])
    process.once(it, () => {
      consumer.disconnect().finally(() => process.exit(0));
    });
  await subscribed();
  consumer.on('consumer.crash', ({ payload }) => {
    process.stderr.write(`${payload.error.message}\n`);
    process.exit(1);
  });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const line = findingLine(message.value);
      if (line !== undefined) process.stdout.write(`${line}\n`);
    },
  });
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
