import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { project } from './project';

const recordings = join(__dirname, '../../../../examples/recordings');
type Raw = { kind: string; metadata: Record<string, unknown> } & Record<string, unknown>;
const itemsOf = (name: string): Raw[] =>
  (JSON.parse(readFileSync(join(recordings, name, 'kubernetes.json'), 'utf8')) as { items: Raw[] })
    .items;
const items = ['leaky', 'clean', 'shared-neutron']
  .flatMap(itemsOf)
  .filter((it) => kubernetesKind(it.kind) !== undefined);

const metadata = { name: 'web-0', namespace: 'shop', uid: 'u-1' };
const failureOf = (kind: string, raw: unknown): Failure => {
  try {
    project(kind, raw);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing thrown');
};

describe('project', () => {
  it('reads every object of the recordings, and its own output to the same', () => {
    expect(new Set(items.map((it) => it.kind)).size).toBeGreaterThan(30);
    for (const raw of items) {
      const once = project(raw.kind, raw);
      expect(project(raw.kind, once.object)).toEqual(once);
    }
  });

  it('leaves the raw object as it was', () => {
    for (const raw of items) {
      const before = JSON.stringify(raw);
      project(raw.kind, raw);
      expect(JSON.stringify(raw)).toBe(before);
    }
  });

  it('keeps what shows whether a pod lives, and nothing of its containers', () => {
    const { object } = project('Pod', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        generation: 3,
        managedFields: [{ manager: 'kubectl' }],
        deletionTimestamp: '2026-11-21T07:53:30Z',
        deletionGracePeriodSeconds: 30,
        annotations: {
          'ovn.kubernetes.io/ip_address': '10.16.0.9',
          'kubectl.kubernetes.io/last-applied-configuration': '{"env":"hunter2"}',
          'example.com/token': 'hunter2',
        },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'StatefulSet',
            name: 'web',
            uid: 'u-2',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        nodeName: 'worker-1',
        hostNetwork: true,
        restartPolicy: 'Always',
        schedulingGates: [{ name: 'example.com/quota', note: 'hunter2' }],
        containers: [{ name: 'main', env: [{ name: 'PASSWORD', value: 'hunter2' }] }],
        volumes: [{ name: 'v' }],
      },
      status: {
        phase: 'Running',
        reason: 'Evicted',
        podIP: '10.16.0.9',
        podIPs: [{ ip: '10.16.0.9' }],
        containerStatuses: [{ image: 'i' }],
      },
    });
    expect(object).toEqual({
      metadata: {
        ...metadata,
        deletionTimestamp: '2026-11-21T07:53:30Z',
        deletionGracePeriodSeconds: 30,
        managedFields: [],
        annotations: { 'ovn.kubernetes.io/ip_address': '10.16.0.9' },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u-2', controller: true },
        ],
      },
      spec: {
        nodeName: 'worker-1',
        hostNetwork: true,
        restartPolicy: 'Always',
        schedulingGates: [{ name: 'example.com/quota' }],
      },
      status: {
        phase: 'Running',
        reason: 'Evicted',
        podIP: '10.16.0.9',
        podIPs: [{ ip: '10.16.0.9' }],
      },
    });
  });

  it('takes items of typed lists, which say neither kind nor apiVersion', () => {
    expect(project('Pod', { metadata })).toEqual({
      uid: 'u-1',
      namespace: 'shop',
      name: 'web-0',
      object: { metadata },
    });
  });

  it.each<[string, unknown, string]>([
    ['no metadata', {}, 'metadata'],
    ['not an object', 'pod', 'expected a map'],
    ['no uid', { metadata: { ...metadata, uid: undefined } }, 'metadata.uid'],
    ['no name', { metadata: { ...metadata, name: '' } }, 'metadata.name'],
    ['no namespace', { metadata: { name: 'web-0', uid: 'u-1' } }, 'metadata.namespace'],
    [
      'annotations that are a list',
      { metadata: { ...metadata, annotations: [] } },
      'metadata.annotations: expected a map',
    ],
    [
      'an annotation that is a number',
      { metadata: { ...metadata, annotations: { 'a/b': 1 } } },
      'metadata.annotations.a/b: expected a string',
    ],
    [
      'a deletion time that is a number',
      { metadata: { ...metadata, deletionTimestamp: 17 } },
      'metadata.deletionTimestamp',
    ],
    [
      'a deletion time that is no time',
      { metadata: { ...metadata, deletionTimestamp: 'soon' } },
      'metadata.deletionTimestamp',
    ],
    [
      'an owner without uid',
      {
        metadata: { ...metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n' }] },
      },
      'metadata.ownerReferences.0.uid',
    ],
    [
      'a finalizer that is a map',
      { metadata: { ...metadata, finalizers: [{}] } },
      'metadata.finalizers.0',
    ],
    ['hostNetwork as text', { metadata, spec: { hostNetwork: 'true' } }, 'spec.hostNetwork'],
    ['podIPs as text', { metadata, status: { podIPs: '10.0.0.1' } }, 'status.podIPs'],
    ['another kind', { kind: 'Service', metadata }, 'kind Service'],
    ['another version', { apiVersion: 'v2', metadata }, 'of v2'],
  ])('refuses a pod with %s, naming it', (_name, raw, what) => {
    const failure = failureOf('Pod', raw);
    expect(failure.code).toBe('object-malformed');
    expect(failure.message).toContain(what);
  });

  it('names the object in the failure', () => {
    expect(failureOf('Pod', { metadata, spec: 1 }).message).toContain('Pod shop/web-0');
    expect(failureOf('Subnet', { metadata: { uid: 'u-7' } }).message).toContain('Subnet u-7');
  });

  it('refuses a namespace on a cluster-scoped kind, and kinds we do not read', () => {
    expect(failureOf('IP', { metadata }).message).toContain('cluster-scoped');
    expect(failureOf('Secret', { metadata }).code).toBe('object-malformed');
  });

  it('reports that a Vip was applied, and not what', () => {
    const { object } = project('Vip', {
      metadata: {
        name: 'apps',
        uid: 'u',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2' },
      },
    });
    expect(object).toEqual({
      metadata: {
        name: 'apps',
        uid: 'u',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '' },
      },
    });
  });

  it('is not fooled by names of Object.prototype', () => {
    const raw: unknown = JSON.parse(
      '{"metadata":{"name":"constructor","namespace":"__proto__","uid":"u","labels":{"__proto__":"x","toString":"y"},"annotations":{"__proto__":"z","constructor.kubernetes.io/__proto__":"k"}}}',
    );
    const { object } = project('Pod', raw);
    const kept = object['metadata'] as { labels: object; annotations: object };
    expect(Object.keys(kept.labels)).toEqual(['__proto__', 'toString']);
    expect(Object.keys(kept.annotations)).toEqual(['constructor.kubernetes.io/__proto__']);
    expect(({} as { x?: unknown })['x']).toBeUndefined();
    expect(failureOf('constructor', raw).code).toBe('object-malformed');
  });
});
