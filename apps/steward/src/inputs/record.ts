import { createKubernetesSource, writeRecording } from '@ovn-steward/collector';
import { createKubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import { tlsOf } from '@ovn-steward/systems/ovn/tls-of';
import type { Observation, Source } from '@ovn-steward/collector';
import type { OvnDatabaseId } from '@ovn-steward/systems/ovn/selection';
import { followDatabase, writeStandaloneFile } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { timeLimit } from '@ovn-steward/shared/time-limit';

const DATABASES: Readonly<Record<OvnDatabaseId, string>> = {
  'ovn-nb': 'OVN_Northbound',
  'ovn-sb': 'OVN_Southbound',
};

export interface DatabaseRecording {
  readonly id: OvnDatabaseId;
  readonly database: Settings['ovnNb'];
  readonly path: string;
  readonly timeoutMs: number;
}

/**
 * Writes the whole database, as one consistent snapshot, into a file a real ovsdb-server starts
 * from. Returns the number of rows.
 * @throws Failure `source-unreachable`, `output-unwritable`.
 */
export async function recordDatabase({
  id,
  database,
  path,
  timeoutMs,
}: DatabaseRecording): Promise<number> {
  const remotes = database.remote ?? '';
  const tls = tlsOf(remotes, database);
  const signal = timeLimit(timeoutMs);
  let trouble = 'it did not answer';
  for await (const event of followDatabase({
    remotes,
    database: DATABASES[id],
    signal,
    ...(tls ? { tls } : {}),
  })) {
    if (event.type === 'failed' || event.type === 'lost') trouble = event.error.message;
    if (event.type !== 'snapshot') continue;
    await writeStandaloneFile(path, event.schema.json, event.replica, {
      comment: 'recorded by ovn-steward',
      date: new Date(),
    }).catch((error: unknown) => {
      throw ovsdbFailure(error);
    });
    return [...event.schema.tables.keys()].reduce(
      (sum, table) => sum + event.replica.size(table),
      0,
    );
  }
  throw new Failure(
    'source-unreachable',
    `${remotes} could not be recorded within ${Math.round(timeoutMs / 1000)} s: ${trouble}`,
  );
}

export interface ClusterRecording {
  readonly folder: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly timeoutMs: number;
  readonly report: (source: string, message: string) => void;
}

/**
 * Writes every kind we read, trimmed to what rules read, until each is complete or the source
 * reported why it cannot be.
 */
export async function recordCluster(
  options: ClusterRecording,
): Promise<{ readonly objects: number; readonly missing: readonly string[] }> {
  const source = createKubernetesSource({
    client: createKubeClient(kubeAccess(options)),
    report: options.report,
  });
  const missing = new Map<string, string>();
  const objects = await writeRecording(
    options.folder,
    untilSettled(source, timeLimit(options.timeoutMs), missing),
  );
  return {
    objects,
    missing: [...missing].map(([stream, why]) => `${stream.slice('kubernetes/'.length)} (${why})`),
  };
}

/** The observations up to where every kind has said whether it is complete. */
async function* untilSettled(
  source: Source,
  signal: AbortSignal,
  missing: Map<string, string>,
): AsyncGenerator<readonly Observation[]> {
  const waiting = new Set(source.streams);
  for await (const batch of source.observe(signal)) {
    yield batch;
    for (const observation of batch) {
      // A kind that is not installed has nothing to record; the definitions beside it prove that.
      if (observation.type === 'unavailable' && observation.reason !== 'not-served')
        missing.set(observation.stream, observation.reason);
      if (observation.type === 'complete') missing.delete(observation.stream);
      if (observation.type === 'unavailable' || observation.type === 'complete')
        waiting.delete(observation.stream);
    }
    if (waiting.size === 0) return;
  }
  for (const stream of waiting) missing.set(stream, 'no answer in time');
}
