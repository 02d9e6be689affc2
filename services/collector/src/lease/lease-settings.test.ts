import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { leaseOf } from './lease-settings';

const folder = mkdtempSync(join(tmpdir(), 'lease-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const namespaceFile = join(folder, 'namespace');
writeFileSync(namespaceFile, 'network-tools\n');

const pod = { env: { KUBERNETES_SERVICE_HOST: '10.96.0.1' }, namespaceFile };
const elsewhere = { env: {}, namespaceFile: join(folder, 'none') };
const settings = (lease: object, cluster = 'c1'): Settings => Settings.parse({ cluster, lease });

it('is used in a pod, in its namespace', () => {
  expect(leaseOf(settings({}), pod)).toEqual({
    namespace: 'network-tools',
    name: 'ovn-steward-collector-c1',
    durationMs: 15_000,
    inPod: true,
  });
});

it.each([
  ['nothing says so', elsewhere],
  ['only the variable does', { ...pod, namespaceFile: elsewhere.namespaceFile }],
  ['only the file does', { ...pod, env: {} }],
])('is not used by itself where it may not be a pod: %s', (_what, surroundings) => {
  expect(leaseOf(settings({}), surroundings)).toBeUndefined();
});

it('is what the settings say it is', () => {
  expect(leaseOf(settings({ namespace: 'here', name: 'mine', duration: '1m' }), pod)).toEqual({
    namespace: 'here',
    name: 'mine',
    durationMs: 60_000,
    inPod: true,
  });
  expect(leaseOf(settings({ enabled: 'always', namespace: 'here' }), elsewhere)).toEqual({
    namespace: 'here',
    name: 'ovn-steward-collector-c1',
    durationMs: 15_000,
    inPod: false,
  });
  expect(leaseOf(settings({ enabled: 'never' }), pod)).toBeUndefined();
});

it('needs a namespace', () => {
  expect(() => leaseOf(settings({ enabled: 'always' }), elsewhere)).toThrow(/lease\.namespace/);
});

it('has a name that Kubernetes takes, another for every cluster', () => {
  const clusters = [
    'a',
    'A',
    'a_b',
    'a-b',
    'a.b',
    'a-.b',
    'a._b',
    'x'.repeat(253),
    `${'x'.repeat(252)}y`,
    'Ends-',
    'Ends_',
  ].filter((it) => Settings.shape.cluster.safeParse(it).success);
  const names = clusters.map((it) => leaseOf(settings({}, it), pod)!.name);
  for (const name of names) {
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    expect(name.length).toBeLessThanOrEqual(253);
  }
  expect(new Set(names).size).toBe(names.length);
  expect(names.slice(0, 1)).toEqual(['ovn-steward-collector-a']);
});
