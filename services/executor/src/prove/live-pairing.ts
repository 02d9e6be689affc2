import { ascendingBy } from '@ovn-steward/shared/compare';
import { pairingEvidence, verdictOn } from '@ovn-steward/judgement/tallies/pairing-evidence';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { PairingVerdict, Readable } from '@ovn-steward/judgement/pairing/decide';
import { type EvidenceKind, evidenceOf } from '@ovn-steward/judgement/pairing/evidence';
import { messageOf } from '@ovn-steward/shared/errors';
import {
  type ClusterIdentity,
  identityText,
  sameIdentity,
} from '@ovn-steward/shared/cluster-identity';
import { uninstalledText } from '@ovn-steward/shared/settings/uninstalled';
import { type Condition, operation } from '@ovn-steward/ovsdb';
import type { LivingIdentity } from '@ovn-steward/systems/living-identity';
import { verdictByStatement } from '@ovn-steward/judgement/rule-kit/pairing';
import type { ProofDoubt } from './recheck';
import type { LiveObjects } from './live-objects';
import type { LiveRows } from './live-rows';
import type { BulkCache } from './bulk-cache';
import { provisional } from './finder';

/** Every cluster has pods here that Kube-OVN addressed. */
const NAMESPACE = 'kube-system';
/** How many of the pods there: each name is searched in the whole table, one after another. */
const MOST_PODS = 8;
/** Networks in which nodes have ports: one, unless a person moved them. */
const MOST_NETWORKS = 4;
/**
 * Both lists are complete, or there is no answer. Networks are not read: those that lost their
 * Subnets are what is to be found.
 */
const READ: Readable = { pods: true, nodes: true, networks: false, recorded: false };
/** The age of a list that must be read now. */
const ANEW_MS = 0;
const COLUMNS = ['_uuid', 'name', 'type', 'up', 'addresses', 'external_ids'];

/** What the two systems say of their ports. */
interface Evidence {
  readonly verdict: PairingVerdict;
  /** How many ports have another MAC address than their owner. */
  readonly disagree: number;
}

/**
 * Whether the living systems are one cluster, by their own data: all nodes and all ports in their
 * networks, both directions, and some pods with theirs. Two lists and one transaction, however many
 * ports there are.
 * @throws Failure when they cannot be read.
 */
async function livePairing(
  objects: LiveObjects,
  rows: LiveRows,
  signal: AbortSignal,
): Promise<Evidence> {
  const [nodes, pods] = await Promise.all([
    objects.list('Node', undefined, signal, ANEW_MS),
    objects.list('Pod', NAMESPACE, signal, ANEW_MS),
  ]);
  const sample = pods
    .filter((it) => evidenceOf(it as Entity<EvidenceKind>).some(({ type }) => type === 'claim'))
    .sort(ascendingBy((it) => it.name))
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
  for (const entity of [
    ...nodes,
    ...sample,
    ...[...ports.values()].map((row) => provisional(rows, row)),
  ])
    pairingEvidence.add(figure, entity as Entity<EvidenceKind>, '');
  return {
    verdict: verdictOn({ ...figure, emptied: new Set() }, READ),
    disagree: figure.counts.disagree,
  };
}

/** The two systems are one cluster: the very ones of which that was read. */
export interface Paired {
  readonly is: 'paired';
  readonly identity: ClusterIdentity;
  /** Whether it rests on a person's statement alone (`UNINSTALLED`). */
  readonly bySaying: boolean;
}

type Saying = PairingVerdict & Pick<Paired, 'bySaying'>;

/** What people said of an uninstall, and what speaks against it. */
export interface Statement {
  /** Of which pairs it was said (`UNINSTALLED`). */
  readonly statements: readonly string[];
  /**
   * Why it is refused; undefined when nothing speaks against it.
   * @throws Failure when the systems cannot be read.
   */
  life(signal: AbortSignal): Promise<string | undefined>;
}

/**
 * An address may lead elsewhere from one question to the next: what was read counts for a pair only
 * where that answered before it and after it.
 */
async function ofOnePair(
  living: Pick<LivingIdentity, 'read'>,
  read: (identity: ClusterIdentity) => Promise<Saying>,
  signal: AbortSignal,
): Promise<Paired | ProofDoubt> {
  const identity = await living.read(signal);
  const { is, reason, bySaying } = await read(identity);
  const after = await living.read(signal);
  if (!sameIdentity(identity, after))
    return {
      is: 'unknown',
      reason: `while it was asked whether both systems are one cluster, ${identityText(identity)} became ${identityText(after)}`,
    };
  return is === 'paired' ? { is, identity, bySaying } : { is, reason };
}

/**
 * The pair of systems that is shown to be one cluster; else why it is not shown, whatever says that
 * a thing is dead. Shared by all callers within that time. Never throws: what cannot be read is
 * unknown.
 */
export async function pairingOfLiving(
  cache: BulkCache,
  living: Pick<LivingIdentity, 'read'>,
  rows: () => Promise<LiveRows>,
  objects: LiveObjects,
  statement: Statement,
  ageMs: number,
  signal: AbortSignal,
): Promise<Paired | ProofDoubt> {
  const read = async (identity: ClusterIdentity): Promise<Saying> => {
    const { verdict, disagree } = await livePairing(objects, await rows(), signal);
    const { statements } = statement;
    if (verdict.is !== 'unknown' || statements.length === 0) return { ...verdict, bySaying: false };
    const here = uninstalledText(identity);
    return statements.includes(here)
      ? verdictByStatement(verdict, { disagree }, await statement.life(signal))
      : {
          is: 'unknown',
          bySaying: false,
          reason: `${verdict.reason}; that Kube-OVN was uninstalled was said of ${statements.join(', ')}, and this is ${here}`,
        };
  };
  try {
    return await cache.share('pairing', () => ofOnePair(living, read, signal), ageMs);
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
