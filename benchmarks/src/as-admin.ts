import { type Admin, Kafka, logLevel } from 'kafkajs';

/** What an admin of Kafka does, and no more. */
export async function asAdmin(
  brokers: readonly string[],
  work: (admin: Admin) => Promise<void>,
): Promise<void> {
  const admin = new Kafka({
    clientId: 'bench-admin',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
  }).admin();
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.disconnect();
  }
}
