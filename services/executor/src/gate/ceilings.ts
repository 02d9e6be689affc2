import { compareValues } from '@ovn-steward/shared/compare';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Spent } from '../ledger/ledger-reader';

type Ceilings = Settings['executor']['ceilings'];

/** One of the places a removal counts in, and is limited in. */
export interface CeilingScope {
  readonly of: keyof Ceilings;
  /** Of the rule, subnet, VPC or cluster. */
  readonly name: string;
}

/** What the ceilings are held against. */
export interface Figures {
  readonly ceilings: Ceilings;
  /** What was claimed within the last hour, whatever became of it (`Ledger.spent`). */
  readonly spent: Spent;
  /** How many things there are that a share can be taken of; undefined where that is not known. */
  readonly population: (scope: CeilingScope) => number | undefined;
}

/** A plan that would go beyond a ceiling. */
export interface Overrun {
  readonly scope: CeilingScope;
  /** How many the plan would remove there. */
  readonly wanted: number;
  /** Claimed there within the last hour, and what is let through before this plan. */
  readonly spent: number;
  /** How many an hour may be. */
  readonly allowed: number;
  readonly population: number | undefined;
}

/**
 * Where removing this finding's target counts. It may not lie in a subnet or a VPC, or in an
 * unknown one: then only the rule's and the cluster's ceilings apply.
 */
export function scopesOf({ cluster, rule, scope }: Finding): readonly CeilingScope[] {
  const { vpc, subnet } = scope ?? {};
  return [
    { of: 'cluster', name: cluster },
    { of: 'rule', name: rule },
    ...(vpc === undefined ? [] : [{ of: 'vpc', name: vpc } as const]),
    ...(subnet === undefined ? [] : [{ of: 'subnet', name: subnet } as const]),
  ];
}

/** A share such as 0.29 is a little less than it says; of 100 it is 29 all the same. */
const ROUNDING = 1e-9;

/**
 * How many an hour are allowed where there are so many things; the least of it where their number
 * is not known.
 */
export function allowedAmong(
  { least, share, most }: Ceilings[keyof Ceilings],
  population: number | undefined,
): number {
  if (population === undefined || !(population > 0)) return least;
  return Math.min(Math.max(Math.floor(share * population + ROUNDING), least), most);
}

const keyOf = ({ of, name }: CeilingScope): string => `${of}/${name}`;

/**
 * What would be removed, by scope: each thing once, however many findings would have it removed.
 */
export type Count = Map<string, { readonly scope: CeilingScope; readonly things: Set<string> }>;

/** Counts what removing these would be. */
export function addTo(counts: Count, findings: readonly Finding[]): void {
  for (const finding of findings) {
    const thing = thingOf(finding);
    for (const scope of scopesOf(finding)) {
      const count = counts.get(keyOf(scope));
      if (count) count.things.add(thing);
      else counts.set(keyOf(scope), { scope, things: new Set([thing]) });
    }
  }
}

/** What a finding would have removed: the same for all that have the same thing removed. */
function thingOf({ id, remedy }: Finding): string {
  if (remedy === null) return id;
  const { source, kind, uid, part } = remedy.target;
  return JSON.stringify([source, kind, uid, part?.column, part?.key]);
}

/**
 * Where a plan goes furthest beyond a ceiling; undefined when it stays below all of them.
 * @param before what was let through already and is not claimed yet.
 */
export function overrunOf(
  plan: readonly Finding[],
  before: Count,
  { ceilings, spent, population }: Figures,
): Overrun | undefined {
  const wanted: Count = new Map();
  addTo(wanted, plan);
  const overruns = [...wanted].flatMap(([key, { scope, things }]): Overrun[] => {
    const there = population(scope);
    const already = before.get(key)?.things ?? new Set<string>();
    const ceiling = {
      scope,
      wanted: [...things].filter((thing) => !already.has(thing)).length,
      spent: spentIn(spent, scope) + already.size,
      allowed: allowedAmong(ceilings[scope.of], there),
      population: there,
    };
    // Not `>`: a count that is no number allows nothing.
    return ceiling.wanted + ceiling.spent <= ceiling.allowed ? [] : [ceiling];
  });
  return overruns.sort(
    (a, b) => excess(b) - excess(a) || compareValues(keyOf(a.scope), keyOf(b.scope)),
  )[0];
}

function spentIn({ all, byRule, byVpc, bySubnet }: Spent, { of, name }: CeilingScope): number {
  return of === 'cluster'
    ? all
    : ({ rule: byRule, vpc: byVpc, subnet: bySubnet }[of].get(name) ?? 0);
}

const excess = ({ wanted, spent, allowed }: Overrun): number => wanted + spent - allowed;

const WORDS: Readonly<Record<CeilingScope['of'], (name: string) => string>> = {
  cluster: () => 'in the cluster',
  rule: (name) => `by rule ${name}`,
  vpc: (name) => `in VPC ${name}`,
  subnet: (name) => `in subnet ${name}`,
};

/** The same in words: why none of `size` was removed. */
export function overrunText(
  { scope, wanted, spent, allowed, population }: Overrun,
  size: number,
): string {
  const among =
    population === undefined ? 'how many there are is not known' : `there are ${population}`;
  const way =
    wanted <= allowed
      ? 'it goes on by itself when the hour is over'
      : `see whether so much is really dead; if so, have it done by a plan over the ceilings, or raise executor.ceilings.${scope.of}`;
  return `${wanted} would be removed ${WORDS[scope.of](scope.name)}, ${spent} count there since an hour, and ${allowed} an hour are allowed (${among}), so none of ${size === 1 ? 'it' : `these ${size}`} is: ${way}`;
}
