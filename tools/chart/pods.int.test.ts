import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { podsOf, rendered } from './rendered';
import { KAFKA, NOTIFY, VALUE_SETS } from './value-sets';

describeWith(helm, 'the pods of the chart', () => {
  const pods = (values: object) => podsOf(rendered(values));

  describe.each(Object.entries(VALUE_SETS))('%s', (_, values) => {
    test('may nothing that they do not need', () => {
      for (const [name, pod] of pods(values)) {
        expect({ name, ...pod }).toMatchObject({
          enableServiceLinks: false, // a Service called steward-… would look like settings
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
        });
        for (const container of pod.containers)
          expect(container).toMatchObject({
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            resources: {
              requests: { cpu: expect.any(String), memory: expect.any(String) },
              limits: { memory: expect.any(String) },
            },
          });
      }
    });

    test('mount what they have, and have what they mount', () => {
      for (const [name, pod] of pods(values))
        for (const { volumeMounts = [] } of pod.containers) {
          const claimed = ['state', 'backup']; // by claims of the StatefulSet
          const has = pod.volumes.map((it) => it.name);
          const mounts = volumeMounts.map((it) => it.name);
          expect({
            name,
            lacks: mounts.filter((it) => ![...has, ...claimed].includes(it)),
          }).toEqual({ name, lacks: [] });
          expect({ name, unused: has.filter((it) => !mounts.includes(it)) }).toEqual({
            name,
            unused: [],
          });
        }
    });

    test('that serve are probed on the port for probes', () => {
      const serving = [...pods(values)].filter(([name]) => !/-(?:guard|test)$/.test(name));
      expect(serving.length).toBeGreaterThan(0);
      for (const [, { containers }] of serving)
        expect(containers[0]).toMatchObject({
          ports: expect.arrayContaining([
            { name: 'http', containerPort: 9470 },
            { name: 'probes', containerPort: 9480 },
          ]),
          startupProbe: { httpGet: { path: '/livez', port: 'probes' } },
          livenessProbe: { httpGet: { path: '/livez', port: 'probes' } },
          readinessProbe: { httpGet: { path: '/readyz', port: 'probes' } },
        });
    });
  });

  test('several of a workload stand apart, under a budget; one alone has none', () => {
    const kinds = (values: object, kind: string): readonly string[] =>
      rendered(values)
        .filter((it) => it.kind === kind)
        .map(({ metadata }) => metadata.name);
    expect(kinds({}, 'PodDisruptionBudget')).toEqual([]);
    const { kafka } = VALUE_SETS;
    expect(kinds(kafka!, 'PodDisruptionBudget')).toEqual([
      'ovn-steward-collector',
      'ovn-steward-analyzer',
      'ovn-steward-executor',
    ]);
    expect(kinds({ ...kafka, collector: { replicas: 1 } }, 'PodDisruptionBudget')).toEqual([
      'ovn-steward-analyzer',
      'ovn-steward-executor',
    ]);
    for (const [name, pod] of pods(kafka!))
      if (!name.endsWith('-test'))
        expect(pod).toMatchObject({
          topologySpreadConstraints: [{ topologyKey: 'kubernetes.io/hostname' }],
        });
  });

  test('there is one notifier where a sink is named, and none otherwise', () => {
    const values = { ...KAFKA, ...NOTIFY, settings: { ...KAFKA.settings, ...NOTIFY.settings } };
    const objects = rendered(values).filter(
      ({ metadata }) => metadata.name === 'ovn-steward-notifier',
    );
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'NetworkPolicy',
      'Service',
      'ServiceAccount',
      'StatefulSet',
    ]);
    expect(objects.find(({ kind }) => kind === 'StatefulSet')!.spec).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '1Gi' } } } }],
    });
    const pod = pods(values).get('ovn-steward-notifier')!;
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.volumes).toContainEqual({
      name: 'sinks',
      projected: {
        defaultMode: expect.any(Number),
        sources: [
          {
            secret: {
              name: 'slack',
              items: [
                { key: 'hook', path: 'team-red/url' },
                { key: 'token', path: 'team-red/token' },
              ],
            },
          },
        ],
      },
    });
    for (const none of [KAFKA, NOTIFY, {}])
      expect(JSON.stringify(rendered(none))).not.toContain('ovn-steward-notifier');
  });

  test('images are those of the registry, in the version of the chart by default', () => {
    const images = (values: object) =>
      [...pods(values).values()].flatMap((it) => it.containers.map(({ image }) => image));
    expect(images({})).toEqual(['ovn-steward/steward:0.1.0', 'ovn-steward/steward:0.1.0']);
    expect(
      images({
        ...VALUE_SETS['kafka'],
        image: { registry: 'registry.example:5000', repository: 'net', tag: '7' },
      }),
    ).toEqual(
      ['collector', 'analyzer', 'executor', 'steward'].map(
        (it) => `registry.example:5000/net/${it}:7`,
      ),
    );
    const digest = `sha256:${'5e'.repeat(32)}`;
    expect(images({ image: { tag: '7', digests: { steward: digest } } })).toEqual([
      `ovn-steward/steward@${digest}`,
      `ovn-steward/steward@${digest}`,
    ]);
    expect(images({ ...VALUE_SETS['kafka'], image: { digests: { analyzer: digest } } })).toContain(
      `ovn-steward/analyzer@${digest}`,
    );
  });
});
