import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { type ChartObject, only, podsOf, rendered } from './rendered';
import { KAFKA, VALUE_SETS } from './value-sets';

const ELSEWHERE =
  VALUE_SETS[
    'embedded, in the network of its node, with parts in other namespaces and labels of a team'
  ]!;
const GUARD = { guard: { pods: true }, rights: { pods: true } };
const ACTS = {
  ...KAFKA,
  settings: { ...KAFKA.settings, executor: { mode: 'enforce' } },
  signing: { secretName: 'key', trustedKeysConfigMap: 'trusted' },
} as const;

const named = (objects: readonly ChartObject[], ...kinds: readonly string[]): readonly string[] =>
  objects.filter((it) => kinds.includes(it.kind)).map((it) => `${it.kind} ${it.metadata.name}`);

describeWith(helm, 'where the chart puts things, and under which labels', () => {
  test('every object has the labels of the team, beside its own', () => {
    const objects = rendered({ ...ELSEWHERE, ...GUARD }).filter(
      (it) => it.metadata.name !== 'beside',
    );
    expect(objects.length).toBeGreaterThan(20);
    for (const { kind, metadata } of objects)
      expect({ kind, ...metadata }).toMatchObject({
        labels: { 'example.org/cost-centre': '4711', 'app.kubernetes.io/part-of': 'ovn-steward' },
      });
  });

  test('no label of a team gets into a selector, which could not be changed later', () => {
    const { spec } = only(rendered(ELSEWHERE), 'StatefulSet');
    expect(JSON.stringify(spec!['selector'])).not.toContain('cost-centre');
    expect(JSON.stringify(spec!['volumeClaimTemplates'])).not.toContain('cost-centre');
  });

  test('a monitor in another namespace reads the one of the release', () => {
    const objects = rendered(ELSEWHERE);
    const placed = objects.filter((it) => it.metadata.namespace === 'monitoring');
    expect(new Set(placed.map((it) => it.kind))).toEqual(
      new Set(['ServiceMonitor', 'PrometheusRule', 'ConfigMap']),
    );
    expect(only(objects, 'ServiceMonitor')).toMatchObject({
      metadata: { annotations: { note: 'x' } },
      spec: {
        namespaceSelector: { matchNames: ['ovn-steward'] },
        endpoints: [
          {
            interval: '30s',
            scrapeTimeout: '10s',
            relabelings: [{ targetLabel: 'region', replacement: 'east' }],
            metricRelabelings: [{ action: 'labeldrop', regex: 'pod' }],
          },
        ],
      },
    });
  });

  test('in the network of the node names are still those of the cluster', () => {
    const pods = podsOf(rendered({ ...ELSEWHERE, ...GUARD }));
    const network = [...pods].map(([name, { hostNetwork, dnsPolicy }]) => [
      name,
      hostNetwork,
      dnsPolicy,
    ]);
    expect(network).toEqual(
      expect.arrayContaining([
        ['ovn-steward', true, 'ClusterFirstWithHostNet'],
        ['ovn-steward-guard', true, 'ClusterFirstWithHostNet'],
        ['ovn-steward-test', undefined, undefined],
      ]),
    );
    expect(pods.get('ovn-steward')).toMatchObject({
      dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
      runtimeClassName: 'kata',
    });
  });

  test.each([
    ['embedded', GUARD],
    ['kafka, acting', ACTS],
  ])('%s: without its rights and accounts, only they are missing', (_, values) => {
    const kinds = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];
    const all = rendered(values);
    const without = rendered({
      ...values,
      rights: { ...('rights' in values ? values.rights : {}), create: false },
      accounts: { create: false },
    });
    expect(named(all, ...kinds, 'ServiceAccount').length).toBeGreaterThan(3);
    expect(named(without, ...kinds, 'ServiceAccount')).toEqual([]);
    const others = new Set(
      all.map((it) => it.kind).filter((it) => ![...kinds, 'ServiceAccount'].includes(it)),
    );
    const policies = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
    for (const kind of others)
      expect(named(without, kind)).toEqual(policies.includes(kind) ? [] : named(all, kind));
  });

  test('accounts have their annotations, and further objects come as they are', () => {
    const objects = rendered(ELSEWHERE);
    for (const account of objects.filter((it) => it.kind === 'ServiceAccount'))
      expect(account.metadata.annotations).toEqual({ 'example.org/owner': 'net' });
    expect(objects).toContainEqual(
      (ELSEWHERE as { extraObjects: readonly ChartObject[] }).extraObjects[0],
    );
  });
});
