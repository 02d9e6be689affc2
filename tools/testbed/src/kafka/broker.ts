import { existsSync, readFileSync, statSync } from 'node:fs';
import { listens } from '../run/ports';
import { startReady } from '../run/ready';
import type { Server, Site } from '../run/server';
import { javaArguments, type JavaRun } from './java';
import type { LaidOut } from './layout';

/**
 * Starts a broker and waits until it serves: it says so in its log once the controllers know it,
 * which is later than its port.
 */
export async function startBroker(site: Site, run: JavaRun, node: LaidOut): Promise<Server> {
  const before = existsSync(node.log) ? statSync(node.log).size : 0;
  const started = (): boolean =>
    readFileSync(node.log).subarray(before).includes('Kafka Server started');
  return startReady(
    site,
    {
      name: `Kafka ${node.id}`,
      program: 'java',
      args: javaArguments(run, 'kafka.Kafka', node.settings),
      log: node.log,
    },
    {
      what: `Kafka ${node.id} to serve`,
      timeoutMs: 90_000,
      check: async () => started() && listens(node.ports.PLAIN ?? 0),
    },
  );
}
