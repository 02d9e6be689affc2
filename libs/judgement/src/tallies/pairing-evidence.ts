import type { Entity } from '../world/entity';
import {
  decidePairing,
  NO_PAIRING_COUNTS,
  type PairingCounts,
  type PairingVerdict,
  type Readable,
} from '../pairing/decide';
import { type Evidence, EVIDENCE_KINDS, type EvidenceKind, evidenceOf } from '../pairing/evidence';
import { defineTally } from '../world/relation';

/** The only key. */
export const ALL = 'all';

export interface PairingEvidence {
  readonly counts: PairingCounts;
  /** Namespaces of which ports are up and no pod has its port. */
  readonly emptied: Set<string>;
  /**
   * Who says something of each name of a port or network: most have a row and a claim. What they
   * say is derived again when one of them changes, which takes less than keeping it.
   */
  readonly byName: Map<string, readonly Entity<EvidenceKind>[]>;
  /**
   * By namespace: how many pods' names both sides have, and how many ports are up that nobody has.
   */
  readonly namespaces: Map<string, { both: number; missed: number }>;
}

/** What both systems say of one name. */
type Agreement = 'nothing' | 'silent' | 'agree' | 'disagree' | 'missed' | 'portless';

/** What it comes to of a network, of which nothing but the name is compared. */
const NETWORKS = {
  silent: 'networks',
  agree: 'networks',
  disagree: 'networks',
  missed: 'networksMissed',
  portless: 'networksLost',
} as const;

/**
 * How both systems agree about ports, kept in step: a change costs what is said of the same names,
 * however many ports there are.
 */
export const pairingEvidence = defineTally<EvidenceKind, PairingEvidence>({
  id: 'pairing-evidence',
  kinds: EVIDENCE_KINDS,
  keys: (entity) => (evidenceOf(entity).length > 0 ? [ALL] : []),
  start: () => ({
    counts: { ...NO_PAIRING_COUNTS },
    emptied: new Set(),
    byName: new Map(),
    namespaces: new Map(),
  }),
  // `concat` takes as much memory as there are; a literal with a spread keeps room for 17 more.
  add: (figure, entity) => move(figure, entity, (known) => known.concat(entity)),
  remove: (figure, entity) => move(figure, entity, (known) => known.filter((it) => it !== entity)),
  // Which of these counts applies is decided by what is known: the caller depends on that itself.
  verdict: (figure) =>
    READABLE.map((lists) => {
      const { is, reason } = verdictOn(figure, lists);
      return `${is} ${reason}`;
    }).join('\n'),
});

/** What may be known where; the networks of living systems are not counted. */
const READABLE: readonly Readable[] = [
  { networks: true, recorded: true },
  { networks: false, recorded: true },
  { networks: false, recorded: false },
].flatMap((known) => [
  { pods: true, nodes: true, ...known },
  { pods: false, nodes: true, ...known },
  { pods: true, nodes: false, ...known },
]);

export const verdictOn = (
  { counts, emptied }: PairingEvidence,
  readable: Readable,
): PairingVerdict => decidePairing(counts, emptied, readable);

function move(
  figure: PairingEvidence,
  entity: Entity<EvidenceKind>,
  change: (known: readonly Entity<EvidenceKind>[]) => readonly Entity<EvidenceKind>[],
): void {
  for (const name of new Set(evidenceOf(entity).map((it) => it.name))) {
    const before = figure.byName.get(name) ?? NOBODY;
    const after = change(before);
    if (after.length > 0) figure.byName.set(name, after);
    else figure.byName.delete(name);
    count(figure, evidenceAbout(name, before), -1);
    count(figure, evidenceAbout(name, after), 1);
  }
}

const NOBODY: readonly Entity<EvidenceKind>[] = Object.freeze([]);

const evidenceAbout = (name: string, by: readonly Entity<EvidenceKind>[]): readonly Evidence[] =>
  by.flatMap((entity) => evidenceOf(entity).filter((it) => it.name === name));

function count(figure: PairingEvidence, evidence: readonly Evidence[], by: 1 | -1): void {
  const agreement = agreementOf(evidence);
  if (agreement === 'nothing') return;
  const { counts } = figure;
  const witness = evidence.find(({ type }) => type === 'row') ?? evidence[0]!;
  if (witness.of === 'network') {
    counts[NETWORKS[agreement]] += by;
    return;
  }
  const isNode = witness.of === 'node';
  if (agreement === 'agree') {
    counts.agree += by;
    if (isNode) counts.nodesAgree += by;
    if (evidence.some(({ random }) => random)) counts.random += by;
  } else if (agreement === 'disagree') {
    counts.disagree += by;
    if (isNode) counts.nodesDisagree += by;
  } else if (agreement === 'portless') counts.portless += by;
  else if (agreement === 'missed') counts[isNode ? 'nodesMissed' : 'podsMissed'] += by;
  if (!isNode && agreement !== 'portless') countWithin(figure, witness.namespace, agreement, by);
}

function countWithin(
  { namespaces, emptied }: PairingEvidence,
  namespace: string,
  agreement: Agreement,
  by: 1 | -1,
): void {
  const here = namespaces.get(namespace) ?? { both: 0, missed: 0 };
  here[agreement === 'missed' ? 'missed' : 'both'] += by;
  if (here.both === 0 && here.missed === 0) namespaces.delete(namespace);
  else namespaces.set(namespace, here);
  if (here.both === 0 && here.missed > 0) emptied.add(namespace);
  else emptied.delete(namespace);
}

function agreementOf(evidence: readonly Evidence[]): Agreement {
  const ports = evidence.filter(({ type }) => type === 'row');
  const claims = evidence.filter(({ type }) => type === 'claim');
  if (ports.length === 0) return claims.some(({ live }) => live) ? 'portless' : 'nothing';
  if (claims.length === 0)
    return ports.some(({ live }) => live) && ports.length === evidence.length
      ? 'missed'
      : 'nothing';
  const compared = ports.flatMap((port) =>
    claims
      .filter(({ mac }) => mac !== '' && port.mac !== '')
      .map(({ mac }) => port.mac.includes(mac)),
  );
  if (compared.length === 0) return 'silent';
  return compared.includes(true) ? 'agree' : 'disagree';
}
