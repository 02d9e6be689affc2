import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedApi, scriptedApi } from '@ovn-steward/systems/testing/scripted-api';
import { guardedKubernetes } from './guarded-kubernetes';
import { kubernetesOf } from './kubernetes';

let api: ScriptedApi;
let folder: string;
beforeEach(async () => {
  api = await scriptedApi();
  api.answer = () => [201, {}];
  folder = mkdtempSync(join(tmpdir(), 'guarded-'));
});
afterEach(() => {
  api.stop();
  rmSync(folder, { recursive: true });
});

function kubeconfig(): string {
  const file = join(folder, 'kubeconfig');
  const named = <T>(key: string, it: T) => [{ name: 'test', [key]: it }];
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: named('cluster', { server: api.access.server.href }),
      users: named('user', {}),
      contexts: named('context', { cluster: 'test', user: 'test' }),
    }),
  );
  return file;
}

const EVENT = {
  regarding: { kind: 'Vpc', name: 'a', uid: 'u' },
  type: 'Warning',
  reason: 'DeletionWaits',
  action: 'GuardVpc',
  note: 'The deletion waits.',
} as const;

test('an Event of a guard names the guard, and one of anything else the executor', async () => {
  const options = { kubernetes: kubeconfig() };
  const guarded = guardedKubernetes(options);
  const plain = kubernetesOf(options);
  const { signal } = new AbortController();
  expect(await guarded.kubernetes.writeEvent(EVENT, signal)).toBe(true);
  expect(await plain.writeEvent(EVENT, signal)).toBe(true);
  await Promise.all([guarded.close(), plain.close()]);
  expect(api.asked.map(({ body }) => body)).toMatchObject([
    { reportingController: 'ovn-steward.dev/guard' },
    { reportingController: 'ovn-steward.dev/executor' },
  ]);
});
