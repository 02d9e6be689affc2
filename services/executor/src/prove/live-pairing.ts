import { pairingEvidence, verdictOn } from '@ovn-steward/judgement/tallies/pairing-evidence';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { PairingVerdict } from '@ovn-steward/judgement/world/pairing/decide';
import { type EvidenceKind, evidenceOf } from '@ovn-steward/judgement/world/pairing/evidence';
import { messageOf } from '@ovn-steward/shared/errors';
import { type Condition, operation } from '@ovn-steward/ovsdb';
import { provisional } from './ask-rows';
import type { Doubt } from './last-look';
import type { LiveObjects } from './live-objects';
import type { LiveRows } from './live-rows';
import type { Look } from './look';

/** Every cluster has pods here that Kube-OVN addressed. */
const NAMESPACE = 'kube-system';
/** Of the pods there: names are looked for through the whole table, one after another. */
const MOST_PODS = 8;
/** Networks in which nodes have ports: one, but where somebody moved them. */
const MOST_NETWORKS = 4;
const COLUMNS = ['_uuid', 'name', 'type', 'up', 'addresses', 'external_ids'];

/**
 * Whether the living systems are one cluster, asked of themselves: all nodes and all ports in their networks, both directions, and some pods with theirs. Two lists and one
 * transaction, however many ports there are.
 * @param ageMs how old the lists may be.
 * @throws Failure when they cannot be asked.
 */
async function livePairing(
  objects: LiveObjects,
  rows: LiveRows,
  ageMs: number,
  signal: AbortSignal,
): Promise<PairingVerdict> {
  const [nodes, pods] = await Promise.all([
    objects.list('Node', undefined, signal, ageMs),
    objects.list('Pod', NAMESPACE, signal, ageMs),
  ]);
  const sample = pods
    .filter((it) => evidenceOf(it as Entity<EvidenceKind>).some(({ says }) => says === 'claim'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MOST_PODS);
  const networks = [...new Set(nodes.map(networkOf).filter((it) => it !== ''))].slice(
    0,
    MOST_NETWORKS,
  );
  const names = sample.flatMap((it) =>
    evidenceOf(it as Entity<EvidenceKind>).map(({ name }) => name),
  );
  const conditions: Condition[] = [
    ...networks.map((it): Condition => ['external_ids', 'includes', operation.map([['ls', it]])]),
    ...names.map((it): Condition => ['name', '==', it]),
  ];
  const found = await Promise.all(
    conditions.map((it) => rows.stored('Logical_Switch_Port', [it], COLUMNS)),
  );
  const ports = new Map(found.flat().map((it) => [it.uuid, it]));
  const figure = pairingEvidence.start();
  for (const it of [
    ...nodes,
    ...sample,
    ...[...ports.values()].map((row) => provisional(rows, row)),
  ])
    pairingEvidence.add(figure, it as Entity<EvidenceKind>, '');
  return verdictOn({ ...figure, emptied: new Set() });
}

/**
 * Why it is not shown that the two systems are one cluster, whatever says that a thing is dead; undefined when it is. Shared by all who ask within that time. Never throws: what
 * cannot be asked is unknown.
 */
export async function pairingDoubt(
  look: Look,
  rows: () => Promise<LiveRows>,
  objects: LiveObjects,
  ageMs: number,
  signal: AbortSignal,
): Promise<Doubt | undefined> {
  try {
    const { is, reason } = await look.share(
      'pairing',
      async () => livePairing(objects, await rows(), ageMs, signal),
      ageMs,
    );
    return is === 'paired' ? undefined : { is, reason };
  } catch (error) {
    return {
      is: 'unknown',
      reason: `whether both systems are one cluster cannot be known: ${messageOf(error)}`,
    };
  }
}

const networkOf = ({ object }: Entity): string =>
  (object as unknown as Entity<'Node'>['object']).metadata.annotations?.[
    'ovn.kubernetes.io/logical_switch'
  ] ?? '';
