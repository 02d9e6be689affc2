import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { byCause } from '@ovn-steward/contracts/findings/by-cause';
import type { SubnetReport } from '@ovn-steward/analyzer';
import { ages } from './ages';
import { type NamedCount, tallied } from './tally';
import { namespaceOf, vpcOfFinding } from './tenant-of';

/**
 * Where a report was read. `look`: live or from files, now. `memory`: what a pipeline knows, with
 * ages.
 */
export type ReadFrom = 'look' | 'memory';

/** An audit document with what the plots of a report show. */
export interface Report extends AuditDocument {
  readonly readFrom: ReadFrom;
  /** Why what is known says nothing about now; null where it does. */
  readonly doubt: string | null;
  readonly causes: readonly NamedCount[];
  readonly tenants: {
    readonly vpcs: readonly NamedCount[];
    readonly namespaces: readonly NamedCount[];
    readonly owners: readonly NamedCount[];
  };
  /** From when each finding was first seen: in a report of one read they are all new. */
  readonly ages: readonly NamedCount[];
  /** Whether every Subnet is known. */
  readonly subnetsComplete: boolean;
  readonly subnets: readonly SubnetOutlook[];
}

/** What a report says of one subnet. */
export interface SubnetOutlook extends Pick<SubnetReport, 'name' | 'vpc' | 'exhaustion'> {
  /**
   * Findings of class `leak`: address records that no pod uses, whose addresses no other pod can
   * get.
   */
  readonly lost: number;
  /**
   * Addresses that can still be given, of the family that has fewest, in decimal; null where it is
   * not known.
   */
  readonly free: string | null;
}

export interface ReportInput {
  readonly document: AuditDocument;
  readonly subnets: readonly SubnetReport[];
  readonly subnetsComplete: boolean;
  readonly readFrom: ReadFrom;
  readonly doubt: string | undefined;
}

/** Counts what a report shows, in one pass for each plot. */
export function reportOf(input: ReportInput): Report {
  const { document, subnets, subnetsComplete, readFrom, doubt } = input;
  const { findings, asOf } = document;
  const vpcOfSubnet = new Map(subnets.map((it) => [it.name, it.vpc]));
  const leaks = tallied(findings, (it) => (it.class === 'leak' ? it.scope?.subnet : undefined));
  const lost = new Map(leaks.map((it) => [it.name, it.count]));
  return {
    ...document,
    readFrom,
    doubt: doubt ?? null,
    causes: byCause(findings).flatMap(({ cause, all }) =>
      cause === undefined ? [] : [{ name: cause.text, count: all.length }],
    ),
    tenants: {
      vpcs: tallied(findings, (it) => vpcOfFinding(it, vpcOfSubnet)),
      namespaces: tallied(findings, namespaceOf),
      owners: tallied(findings, (it) => it.owner.owner),
    },
    ages: ages(findings, asOf),
    subnetsComplete,
    subnets: subnets.map(({ name, vpc, exhaustion, addresses }) => ({
      name,
      vpc,
      exhaustion,
      lost: lost.get(name) ?? 0,
      free: leastOf(addresses.map((it) => it.free)),
    })),
  };
}

function leastOf(counts: readonly (string | null)[]): string | null {
  const known = counts.filter((it) => it !== null).map(BigInt);
  if (known.length < counts.length || known.length === 0) return null;
  return String(known.reduce((least, it) => (it < least ? it : least)));
}
