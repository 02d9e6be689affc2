import { vpcOfSubnet } from '@ovn-steward/judgement/kube-ovn/vpc-of';
import { Failure } from '@ovn-steward/shared/errors';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Systems } from '@ovn-steward/systems/systems';
import { type CeilingScope, scopesOf } from './ceilings';

export interface PopulationSource {
  readonly systems: Systems;
  /** The kind of a rule's subjects; undefined of an unknown rule. */
  readonly kindOf: (rule: string) => string | undefined;
  /** Milliseconds, of a clock that only goes on. */
  readonly clock: () => number;
}

/**
 * How long a figure is good for. A share is no exact thing, and two hundred thousand ports are not
 * counted every second.
 */
const KEEP_MS = 10 * 60_000;
/** What the cluster's share is taken of. */
const CLUSTER_KIND = 'Logical_Switch_Port';

/** Addresses in use by subnet and by VPC; undefined where a figure is missing. */
interface InUse {
  readonly subnets: ReadonlyMap<string, number | undefined>;
  readonly vpcs: ReadonlyMap<string, number | undefined>;
}

/**
 * How many things there are in the scopes of findings, read from the living systems: ports for the
 * cluster, the rows or objects of its kind for a rule, addresses in use (`status.v4usingIPs`,
 * `v6usingIPs`, the larger) for subnets and VPCs. What cannot be read, or is no number, is not
 * known.
 *
 * @returns a function that reads what these findings need, and answers from that.
 */
export function populations({
  systems,
  kindOf,
  clock,
}: PopulationSource): (
  findings: readonly Finding[],
  signal: AbortSignal,
) => Promise<(scope: CeilingScope) => number | undefined> {
  const counted = new Map<string, Kept<number | undefined>>();
  let inUse: Kept<InUse> | undefined;
  const fresh = <T>(kept: Kept<T> | undefined): kept is Kept<T> =>
    kept !== undefined && clock() - kept.at < KEEP_MS;

  const count = async (kind: string, signal: AbortSignal): Promise<void> => {
    if (fresh(counted.get(kind))) return;
    counted.delete(kind);
    const is = await orUnknown(signal, () => countOf(kind, systems, signal));
    if (is !== undefined) counted.set(kind, { is, at: clock() });
  };
  const addresses = async (signal: AbortSignal): Promise<void> => {
    if (fresh(inUse)) return;
    inUse = undefined;
    const objects = await orUnknown(signal, () =>
      systems.kubernetes.list('Subnet', undefined, signal),
    );
    if (objects) inUse = { is: inUseOf(objects), at: clock() };
  };

  return async (findings, signal) => {
    const scopes = new Map(findings.flatMap(scopesOf).map((it) => [`${it.of}/${it.name}`, it]));
    const kinds = new Set([...scopes.values()].flatMap((it) => kindIn(it, kindOf) ?? []));
    for (const kind of kinds) await count(kind, signal);
    if ([...scopes.values()].some((it) => it.of === 'subnet' || it.of === 'vpc'))
      await addresses(signal);
    return (scope) => {
      if (scope.of === 'subnet') return inUse?.is.subnets.get(scope.name);
      if (scope.of === 'vpc') return inUse?.is.vpcs.get(scope.name);
      return counted.get(kindIn(scope, kindOf) ?? '')?.is;
    };
  };
}

interface Kept<T> {
  readonly is: T;
  readonly at: number;
}

const kindIn = (
  { of, name }: CeilingScope,
  kindOf: PopulationSource['kindOf'],
): string | undefined =>
  of === 'cluster' ? CLUSTER_KIND : of === 'rule' ? kindOf(name) : undefined;

async function orUnknown<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    return undefined;
  }
}

async function countOf(
  kind: string,
  { northbound, kubernetes }: Systems,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (kubernetesKind(kind)) return kubernetes.count(kind, signal);
  const read = await northbound.read(
    [{ op: 'select', table: kind, where: [], columns: ['_uuid'] }],
    signal,
  );
  const [result] = read.is === 'committed' ? read.results : [];
  return result?.kind === 'selected' ? result.rows.length : undefined;
}

function inUseOf(objects: readonly KubernetesObject[]): InUse {
  const subnets = new Map<string, number | undefined>();
  const vpcs = new Map<string, number | undefined>();
  for (const object of objects) {
    const { spec, status } = object as {
      readonly spec?: Readonly<Record<string, unknown>>;
      readonly status?: Readonly<Record<string, unknown>>;
    };
    const [v4, v6] = [status?.['v4usingIPs'], status?.['v6usingIPs']].map(wholeNumber);
    const used = v4 === undefined || v6 === undefined ? (v4 ?? v6) : Math.max(v4, v6);
    const vpc = vpcOfSubnet(spec);
    const sum = vpcs.has(vpc) ? vpcs.get(vpc) : 0;
    subnets.set(object.metadata.name, used);
    vpcs.set(vpc, sum === undefined || used === undefined ? undefined : sum + used);
  }
  return { subnets, vpcs };
}

/** Written as a number or as text by some versions. */
function wholeNumber(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}
