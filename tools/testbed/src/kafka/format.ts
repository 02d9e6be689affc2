import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../run/server';
import { javaArguments, type JavaRun } from './java';
import type { LaidOut } from './layout';

/** What Kafka's storage tool writes of a cluster's first metadata: its release's features. */
const BOOTSTRAP = 'bootstrap.checkpoint';

export interface Formatting {
  /** The same for all brokers of a cluster. */
  readonly clusterId: string;
  /** Options of Kafka's storage tool that put more into the cluster, such as users. */
  readonly further?: readonly string[];
}

/**
 * An identity for a new cluster or folder: 16 random bytes in base64 for URLs, not looking like an
 * option of a command.
 */
export function makeKafkaId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? makeKafkaId() : id;
}

/**
 * Prepares a broker's empty data folder. Kafka's own tool does it, a second of a Java: once for
 * each release of Kafka. What it writes is the same for all clusters but for the identities, so
 * `run.bootstrap` keeps it for later brokers.
 */
export async function formatStorage(
  site: Site,
  run: JavaRun,
  node: LaidOut,
  { clusterId, further = [] }: Formatting,
): Promise<void> {
  const kept = further.length === 0 ? run.bootstrap : undefined;
  if (kept !== undefined && existsSync(kept)) return writeStorage(kept, node, clusterId);
  const args = ['format', '-t', clusterId, '-c', node.settings, ...further];
  await site.run('java', javaArguments(run, 'kafka.tools.StorageTool', ...args));
  if (kept !== undefined) keep(join(node.data, BOOTSTRAP), kept);
}

function writeStorage(bootstrap: string, { id, data }: LaidOut, clusterId: string): void {
  mkdirSync(data);
  copyFileSync(bootstrap, join(data, BOOTSTRAP));
  const meta = {
    'node.id': id,
    'directory.id': makeKafkaId(),
    version: 1,
    'cluster.id': clusterId,
  };
  writeFileSync(
    join(data, 'meta.properties'),
    Object.entries(meta)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
}

/** Several processes may do so at once: each brings a whole file. */
function keep(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}.part`;
  copyFileSync(from, unfinished);
  renameSync(unfinished, to);
}
