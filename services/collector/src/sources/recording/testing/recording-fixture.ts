import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import type { Observation } from '../../../source-kit/source';
import { kubernetesRecording } from '../kubernetes-recording';

export const recordings = join(__dirname, '../../../../../../examples/recordings');

const folders: string[] = [];

/** Writes files into a new temporary folder and gives its path. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export async function observationsOf(
  path: string,
  replay: 'final' | 'watch' = 'final',
): Promise<Observation[]> {
  const all: Observation[] = [];
  for await (const batch of kubernetesRecording({ path, replay }).observe(
    new AbortController().signal,
  ))
    all.push(...batch);
  return all;
}

/** The failure a reading ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error: unknown = await promise.then(
    () => undefined,
    (it: unknown) => it,
  );
  if (error instanceof Failure) return error;
  throw new Error('expected a Failure', { cause: error });
}

/** The last word on every kind: `complete`, or the reason it is not. */
export function verdictsIn(observations: readonly Observation[]): Map<string, string> {
  const verdicts = new Map<string, string>();
  for (const observation of observations) {
    if (observation.type === 'complete')
      for (const kind of observation.kinds) verdicts.set(kind, 'complete');
    if (observation.type === 'unavailable')
      for (const kind of observation.kinds) verdicts.set(kind, observation.reason);
  }
  return verdicts;
}

export function detailOf(observations: readonly Observation[], kind: string): string {
  const found = observations.findLast((it) => it.type === 'unavailable' && it.kinds.includes(kind));
  return found?.type === 'unavailable' ? found.detail : '';
}

export const namesOf = (observations: readonly Observation[], kind: string): string[] =>
  observations.flatMap((it) => (it.type === 'object' && it.kind === kind ? [it.name] : []));

export const podOf = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    creationTimestamp: '2026-11-21T07:00:00Z',
  },
  ...more,
});

export const vpcFixture = (name: string): object => ({
  apiVersion: 'kubeovn.io/v1',
  kind: 'Vpc',
  metadata: { name, uid: `uid-${name}`, creationTimestamp: '2026-11-21T08:00:00Z' },
  spec: {},
});

/** As `kubectl get -o json` prints: keys in order of the alphabet, the kind after the items. */
export const kubectlList = (items: readonly unknown[], more: object = {}): string =>
  JSON.stringify(
    { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' }, ...more },
    null,
    4,
  );

export const listedOf = (counts: Readonly<Record<string, number>>, more: object = {}): string =>
  JSON.stringify({
    complete: true,
    kinds: Object.entries(counts).map(([type, count]) => ({
      apiVersion: type.includes(' ') ? type.split(' ')[0] : 'v1',
      kind: type.split(' ').at(-1),
      count,
    })),
    ...more,
  });
