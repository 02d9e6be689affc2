import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LISTED_KINDS } from '@ovn-steward/judgement/pairing/listed-kinds';
import { KindBits } from '@ovn-steward/judgement/rule-kit/declared-kinds';
import { View } from '@ovn-steward/judgement/rule-kit/view';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { auditDocument } from '@ovn-steward/analyzer';
import { auditOf, type Mutation, type Raw, writeMutated } from './testing/mutate';
import { observe, RECORDINGS, truthOf } from './testing/truth';

/**
 * All of one cluster at different times: node names, namespaces and most MAC addresses are the
 * same.
 */
const RECORDED = ['clean', 'leaky', 'shared-neutron'] as const;
/**
 * A Northbound of the same cluster, made later: more Subnets and a Vpc, and nothing up that the
 * others do not have.
 */
const LATER = join(__dirname, 'testing', 'later-nb.db');

const DEADLY = ['garbage', 'leak', 'stuck'];
const deadly = (engine: Engine): readonly Finding[] =>
  engine.findings().filter((it) => DEADLY.includes(it.class));
const pairingOf = ({ world }: Engine) => new View(world, new KindBits([])).pairing();

const keyOf = ({ metadata: { namespace, name } }: Raw): string =>
  namespace ? `${namespace}/${name}` : name;
/** Takes away all of a kind that are meant, as if the list had ended without them. */
const drop = (
  recording: Mutation,
  kind: string,
  isMeant: (object: Raw, nth: number) => boolean,
): void => {
  for (const object of recording.all(kind).filter(isMeant)) recording.remove(kind, keyOf(object));
};

/** As recorded by somebody who kept no times. */
function timeless(recording: Mutation): void {
  for (const { kind } of KUBERNETES_KINDS)
    for (const { metadata } of recording.all(kind))
      metadata.creationTimestamp = '2026-11-21T07:37:21Z';
}

const NORTHBOUNDS: readonly (readonly [name: string, path: string])[] = [
  ...RECORDED.map((it) => [it, join(RECORDINGS, it, 'nb.db')] as const),
  ['later', LATER],
];
const WRONG = NORTHBOUNDS.flatMap(([northbound, path]) =>
  RECORDED.filter((it) => it !== northbound).map((it) => [northbound, it, path] as const),
);

test.each(WRONG)('the Northbound %s with the Kubernetes %s', async (_, kubernetes, path) => {
  const engine = await observe(path, join(RECORDINGS, kubernetes));
  expect(deadly(engine).map((it) => it.summary)).toEqual([]);
});

test('a Kubernetes that was recorded long after the database is not compared with it', async () => {
  const engine = await auditOf('leaky', (recording) => {
    recording.all('Namespace')[0].metadata.creationTimestamp = '2026-11-21T08:53:58Z';
  });
  expect(pairingOf(engine)).toMatchObject({
    is: 'unknown',
    reason: expect.stringMatching(/more than a minute after the database/),
  });
});

test.each(WRONG)(
  'the Northbound %s with the Kubernetes %s, of which nobody knows the times',
  async (_, kubernetes, path) => {
    const folder = mkdtempSync(join(tmpdir(), 'steward-wrong-pair-'));
    try {
      writeMutated(kubernetes, timeless, folder);
      const engine = await observe(path, folder);
      expect(deadly(engine).map((it) => it.summary)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/**
 * One of these that is gone by force looks the same as one that was not recorded, where others of
 * them are there (docs/security.md, "Known limits").
 */
const NAT_RULES: readonly string[] = ['OvnFip', 'OvnSnatRule', 'OvnDnatRule'];

const CUT_WHOLE: readonly string[] = [
  ...LISTED_KINDS.filter((it) => !NAT_RULES.includes(it)),
  ...['Pod', 'IP', 'Subnet', 'OvnEip', 'Namespace', 'CustomResourceDefinition', 'VpcNatGateway'],
];

const CUTS: readonly (readonly [title: string, cut: (it: Mutation) => void])[] = [
  ...['shop', 'kube-system', 'default'].map(
    (namespace) =>
      [
        `namespace ${namespace} alone`,
        (recording: Mutation) => {
          for (const { kind, namespaced } of KUBERNETES_KINDS)
            if (namespaced)
              drop(recording, kind, (object) => object.metadata.namespace !== namespace);
        },
      ] as const,
  ),
  ...CUT_WHOLE.map((kind) => [`no ${kind}`, (it: Mutation) => drop(it, kind, () => true)] as const),
  ['no rule of an OvnEip', (it) => NAT_RULES.forEach((kind) => drop(it, kind, () => true))],
  [
    'only nodes, pods, IPs, Subnets and Vpcs',
    (recording) => {
      const kept = ['Node', 'Pod', 'IP', 'Subnet', 'Vpc'];
      for (const { kind } of KUBERNETES_KINDS)
        if (!kept.includes(kind)) drop(recording, kind, () => true);
    },
  ],
  ...[0, 1].map(
    (half) =>
      [
        `every second Service, from ${half} on`,
        (it: Mutation) => drop(it, 'Service', (_, nth) => nth % 2 === half),
      ] as const,
  ),
  ...[0, 1].map(
    (half) =>
      [
        `every second StatefulSet, from ${half} on`,
        (it: Mutation) => drop(it, 'StatefulSet', (_, nth) => nth % 2 === half),
      ] as const,
  ),
  ...[0, 1, 2].map(
    (at) =>
      [
        `all nodes but number ${at}`,
        (it: Mutation) => drop(it, 'Node', (_, nth) => nth !== at),
      ] as const,
  ),
  ...[0, 1, 2].map(
    (at) =>
      [
        `without node number ${at}`,
        (it: Mutation) => drop(it, 'Node', (_, nth) => nth === at),
      ] as const,
  ),
  ['half of the pods', (it) => drop(it, 'Pod', (_, nth) => nth % 2 === 0)],
  ['half of the nodes', (it) => drop(it, 'Node', (_, nth) => nth % 2 === 0)],
  ['half of the Subnets', (it) => drop(it, 'Subnet', (_, nth) => nth % 2 === 0)],
  ['half of the Vpcs', (it) => drop(it, 'Vpc', (_, nth) => nth % 2 === 0)],
];

describe.each(RECORDED)('of the recording %s', (recording) => {
  const known = truthOf(recording).filter((it) => it.expect !== 'keep');
  test.each(CUTS)('%s, passed off as the whole', async (_, cut) => {
    const wrong = deadly(await auditOf(recording, cut)).filter(
      ({ subject }) => !known.some(({ uid, uuid }) => subject.uid === (uuid ?? uid)),
    );
    expect(wrong.map((it) => it.summary)).toEqual([]);
  });
});

test('a list that was cut is named, and what rests on others is found all the same', async () => {
  const whole = deadly(await auditOf('leaky', () => {}));
  const engine = await auditOf('leaky', (it) => drop(it, 'NetworkPolicy', () => true));
  expect(auditDocument(engine, 'test').pairing?.lists).toEqual([
    {
      kind: 'NetworkPolicy',
      reason: expect.stringContaining('NetworkPolicy does not seem whole'),
      next: expect.stringContaining('networkpolicies.networking.k8s.io again'),
    },
  ]);
  const found = deadly(engine).map(({ id }) => id);
  const withheld = whole.filter(({ id }) => !found.includes(id));
  expect(withheld.length).toBeGreaterThan(0);
  expect(new Set(withheld.map(({ rule }) => rule))).toEqual(
    new Set(['orphaned-port-group', 'orphaned-address-set']),
  );
});

test('one Pod that nobody can read withholds what reads Pods, and nothing else', async () => {
  const engine = await auditOf('leaky', (recording) => {
    recording.all('Pod')[0].metadata.labels = 'no map';
  });
  const rules = new Set(deadly(engine).map((it) => it.rule));
  expect([...rules].filter((it) => it.startsWith('orphaned-port-group'))).toHaveLength(1);
  expect(rules).not.toContain('leaked-ip');
  expect(pairingOf(engine)).toMatchObject({ is: 'paired' });
});
