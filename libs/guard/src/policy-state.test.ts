import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { POLICIES } from './policies/registry';
import { OURS, policyStateOf } from './policy-state';

const signal = new AbortController().signal;
const POLICY = POLICIES[0]!;
const [MAIN, BINDING] = POLICY.manifests();

/** How the policy stands where these are there. */
async function stands(...objects: readonly object[]): Promise<string> {
  const kubernetes = memoryKubernetes();
  for (const it of objects) kubernetes.put(it as Parameters<typeof kubernetes.put>[0]);
  return (await policyStateOf(POLICY, kubernetes, signal)).is;
}
const made = (
  { kind, metadata, spec }: NonNullable<typeof MAIN>,
  more: object = {},
  changed: object = {},
): object => ({
  kind,
  metadata: { ...metadata, labels: OURS, ...more },
  spec: { ...spec, ...changed },
});

test('all as it is declared is installed, none is absent, a part differs', async () => {
  expect([
    await stands(made(MAIN!), made(BINDING!)),
    await stands(),
    await stands(made(MAIN!)),
  ]).toEqual(['installed', 'absent', 'differs']);
});

test.each<[string, object, object]>([
  ['is being deleted', { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x'] }, {}],
  ['has an action more', {}, { validationActions: ['Deny', 'Audit', 'Warn'] }],
  ['has an action less', {}, { validationActions: ['Deny'] }],
  ['is narrowed', {}, { matchResources: { namespaceSelector: { matchLabels: { a: 'b' } } } }],
])('what %s differs', async (_, more, changed) => {
  expect(await stands(made(MAIN!), made(BINDING!, more, changed))).toBe('differs');
});

test('what the server adds that is empty is no difference', async () => {
  const added = { paramRef: null, matchResources: {} };
  expect(await stands(made(MAIN!), made(BINDING!, {}, added))).toBe('installed');
});

test.each<[string, object]>([
  ['no labels', { labels: undefined }],
  ['another manager', { labels: { 'app.kubernetes.io/managed-by': 'helm' } }],
])('one of its names with %s is somebody else’s, whatever the other is', async (_, more) => {
  expect([
    await stands(made(MAIN!), made(BINDING!, more)),
    await stands(made(MAIN!, more), made(BINDING!)),
  ]).toEqual(['foreign', 'foreign']);
});
