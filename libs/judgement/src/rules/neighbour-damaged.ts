import type { FormerContent } from '@ovn-steward/contracts/findings/finding';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { type Entity, referenceTo } from '../world/entity';
import { EVIDENCE, type FormerPart, type FormerRow } from '../world/former-row';
import { value } from '../rule-kit/facts';

/** What a finding carries of the rows as they were, as JSON; the topic takes a multiple of it. */
const MOST_BYTES = 256 * 1024;

/**
 * Rows of other owners that vanished, left their tier, or lost members, in a way their owner does
 * not do it.
 *
 * At its start Kube-OVN's controller deletes what it does not know and moves every ACL to tier 2
 * (kube-ovn.md §4.3–§4.5, §5, rows 1–6). A row that its owner deleted in the ordinary way leaves
 * the same state, so only evidence of the difference is believed: see `harm.ts`.
 */
export default defineRule({
  id: 'neighbour-damaged',
  class: 'damage',
  severity: 'critical',
  subject: 'Former_Row',
  reads: [],
  about:
    'Rows that others have in the same Northbound database vanished or were changed, and not by their owner. Put them back with `steward approve`, or save the findings (`steward findings --rule neighbour-damaged --output json`) and use `steward restore`; first set Kube-OVN not to do it again (`neighbours-at-risk`). A restart of Kube-OVN’s controller brings nothing back.',
  remedy: 'restore-rows',

  check(former) {
    const { evidence, doubt } = former.object;
    if (evidence.length === 0)
      return doubt === undefined
        ? healthy
        : unknown(`${what(former)}, and nothing tells whether its owner did it: ${doubt}`);
    const { table, owner, since, until, writer, row } = former.object;
    const was = contents(former);
    const all = former.object.parts.length + (row ? 1 : 0);
    return violation({
      summary: `${what(former)}: ${evidence[0]}. ${writer === undefined ? 'By whom is not known' : writer}`,
      proof: [
        value(former, 'first seen at', since),
        value(former, 'last seen at', until),
        value(former, 'rows carried of all', `${was.length} of ${all}`),
        ...evidence.map((it) => value(former, EVIDENCE, it)),
      ].map((fact) =>
        fact.fact === 'value' ? { ...fact, subject: { ...fact.subject, kind: table } } : fact,
      ),
      owner: {
        owner,
        verdict: 'protect',
        confidence: owner === 'unknown' ? 1 : 3,
        evidence: ['as the row said of itself before'],
      },
      concerns: former.object.parts.map(
        ({ table: kind, uid, name, row: object }) =>
          ({ source: 'ovn-nb', stream: 'ovn-nb', kind, uid, name, object, hash: '' }) as Entity,
      ),
      was,
      // What is not carried whole cannot be put back whole: a backup may have it.
      ...(was.length === all && {
        remedy: {
          action: 'restore-rows',
          target: { ...referenceTo(former), kind: table },
          advice: `put back ${rows(was)} as ${was.length === 1 ? 'it was' : 'they were'}; what the owner has recreated since stays`,
        },
      }),
    });
  },
});

/** What happened, as a clause. */
function what({ name, uid, object: { table, owner, row, parts } }: Entity<'Former_Row'>): string {
  const gone = parts.filter((it) => it.gone);
  const moved = parts.filter((it) => !it.gone && it.table === 'ACL');
  const remaining = parts.filter((it) => !it.gone && it.table !== 'ACL');
  const called = `${table} ${name || uid}`;
  const owners = [...new Set(parts.map((it) => calledOwner(it.owner)))].sort().join(', ');
  if (row)
    return `${called} of ${calledOwner(owner)} vanished${gone.length > 0 ? `, with ${rows(gone)} in it` : ''}`;
  return [
    ...(gone.length > 0 ? [`${rows(gone)} of ${owners} vanished from ${called}`] : []),
    ...(moved.length > 0 ? [`${rows(moved)} of ${owners} in ${called} left tier 0`] : []),
    ...LOST.flatMap(([table, lost]) => {
      const { length } = remaining.filter((it) => it.table === table);
      return length > 0 ? [`${lost(length, called)} of ${owners}`] : [];
    }),
  ].join(', and ');
}

/** What rows that stand lost, by their table. */
const LOST: readonly (readonly [
  table: string,
  summary: (count: number, where: string) => string,
])[] = [
  ['Address_Set', (_, where) => `${where} lost addresses`],
  ['Load_Balancer', (_, where) => `${where} lost VIPs`],
  [
    'Logical_Switch_Port',
    (count, where) => `${count === 1 ? '1 port' : `${count} ports`} in ${where} left a port group`,
  ],
];

const calledOwner = (owner: string): string => (owner === 'unknown' ? 'an unknown owner' : owner);

const rows = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 row' : `${length} rows`;

type Content = Omit<FormerPart, 'name' | 'moment'>;

/** The rows as they were: the one that stands by itself first, then as many others as fit. */
function contents({ uid, object }: Entity<'Former_Row'>): readonly FormerContent[] {
  const { table, owner, row, parts } = object;
  const own: readonly Content[] = row ? [{ table, uid, owner, gone: true, row }] : [];
  const found: FormerContent[] = [];
  let bytes = 0;
  for (const part of [...own, ...parts]) {
    const content = contentOf(part, object);
    bytes += Buffer.byteLength(JSON.stringify(content));
    if (bytes > MOST_BYTES) break;
    found.push(content);
  }
  return found;
}

const contentOf = (
  { table, uid, owner, gone, row }: Content,
  { referrers }: FormerRow,
): FormerContent => ({
  table,
  uid,
  owner,
  gone,
  row: { ...row },
  referrers: referrers
    .filter(({ to }) => to === uid)
    .map((it) => ({ table: it.table, uid: it.uid, column: it.column })),
});
