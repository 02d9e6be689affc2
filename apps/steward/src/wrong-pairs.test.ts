import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { View } from '@ovn-steward/judgement/world/view';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Finding } from '@ovn-steward/shared/events/finding';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { auditOf, type Mutation, type Raw, writeMutated } from './testing/mutate';
import { look, RECORDINGS, truthOf } from './testing/truth';

/** All of one cluster at different times: node names, namespaces and most MAC addresses are the same. */
const RECORDED = ['clean', 'leaky', 'shared-neutron'] as const;
/** A Northbound of the same cluster, made later: more Subnets and a Vpc, and nothing up that the others do not have. */
const LATER = join(__dirname, 'testing', 'later-nb.db');

const DEADLY = ['garbage', 'leak', 'stuck'];
const deadly = (engine: Engine): readonly Finding[] =>
  engine.findings().filter((it) => DEADLY.includes(it.class));
const pairingOf = ({ world }: Engine) => new View(world, new Set()).pairing();

const keyOf = ({ metadata: { namespace, name } }: Raw): string =>
  namespace ? `${namespace}/${name}` : name;
/** Takes away all of a kind that are meant, as if the list had ended without them. */
const drop = (it: Mutation, kind: string, isMeant: (object: Raw, nth: number) => boolean): void => {
  for (const object of it.all(kind).filter(isMeant)) it.remove(kind, keyOf(object));
};

/** As recorded by somebody who kept no times. */
function timeless(it: Mutation): void {
  for (const { kind } of KUBERNETES_KINDS)
    for (const { metadata } of it.all(kind)) metadata.creationTimestamp = '2026-11-21T07:37:21Z';
}

const NORTHBOUNDS: readonly (readonly [name: string, path: string])[] = [
  ...RECORDED.map((it) => [it, join(RECORDINGS, it, 'nb.db')] as const),
  ['later', LATER],
];
const WRONG = NORTHBOUNDS.flatMap(([northbound, path]) =>
  RECORDED.filter((it) => it !== northbound).map((it) => [northbound, it, path] as const),
);

test.each(WRONG)('the Northbound %s with the Kubernetes %s', async (_, kubernetes, path) => {
  const engine = await look(path, join(RECORDINGS, kubernetes));
  expect(deadly(engine).map((it) => it.summary)).toEqual([]);
});

test('a Kubernetes that was recorded long after the database is not compared with it', async () => {
  const engine = await auditOf('leaky', (it) => {
    it.all('Namespace')[0].metadata.creationTimestamp = '2026-11-21T08:53:58Z';
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
      const engine = await look(path, folder);
      expect(deadly(engine).map((it) => it.summary)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

const CUTS: readonly (readonly [title: string, cut: (it: Mutation) => void])[] = [
  ...['shop', 'kube-system', 'default'].map(
    (namespace) =>
      [
        `namespace ${namespace} alone`,
        (it: Mutation) => {
          for (const { kind, namespaced } of KUBERNETES_KINDS)
            if (namespaced) drop(it, kind, (object) => object.metadata.namespace !== namespace);
        },
      ] as const,
  ),
  ['no nodes', (it) => drop(it, 'Node', () => true)],
  ['no pods', (it) => drop(it, 'Pod', () => true)],
  ['no IPs', (it) => drop(it, 'IP', () => true)],
  ['no Subnets', (it) => drop(it, 'Subnet', () => true)],
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

test('one Pod that nobody can read withholds what reads Pods, and nothing else', async () => {
  const engine = await auditOf('leaky', (it) => {
    it.all('Pod')[0].metadata.labels = 'no map';
  });
  const rules = new Set(deadly(engine).map((it) => it.rule));
  expect([...rules].filter((it) => it.startsWith('orphaned-port-group'))).toHaveLength(1);
  expect(rules).not.toContain('leaked-ip');
  expect(pairingOf(engine)).toMatchObject({ is: 'paired' });
});
