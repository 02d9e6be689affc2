import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startService } from '../running-service';
import { type ProcessSize, sizeOf } from './process-size';

/** The gauge of each that is 0 once all findings are read. */
const LAG = {
  executor: 'steward_executor_partition_lag',
  notifier: 'steward_notifier_lag_records',
} as const;

/** Starts a service that reads the findings, and measures it once it has read them all. */
export async function sizeOfReader(
  name: keyof typeof LAG,
  brokers: readonly string[],
  within: string,
): Promise<ProcessSize> {
  const folder = join(within, name);
  await mkdir(folder);
  const sink = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const { port } = sink.address() as AddressInfo;
  const sinks = { bench: { type: 'webhook', url: `http://127.0.0.1:${port}/` } };
  const service = await startService(name, {
    'kafka.brokers': brokers.join(','),
    'kafka.replicationFactor': '1',
    'log.level': 'warn',
    'signing.required': 'false',
    stateDir: folder,
    ...(name === 'notifier' && { 'notify.sinks': JSON.stringify(sinks) }),
  });
  try {
    await service.ready();
    await service.zero(LAG[name]);
    return await sizeOf({ pid: service.pid, folder });
  } finally {
    await service.end();
    sink.close();
    sink.closeAllConnections();
  }
}
