import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { sameJson } from '@ovn-steward/systems/kubernetes/same-json';
import type { Policy, PolicyManifest } from './policy-kit/policy';

const MANAGED_BY = 'app.kubernetes.io/managed-by';

/** On what `steward guard` makes, and on nothing it does not touch. */
export const OURS = { [MANAGED_BY]: 'ovn-steward' } as const;

/** A manifest beside what the server has of that name. */
export interface Part {
  readonly manifest: PolicyManifest;
  readonly current: KubernetesObject | undefined;
}

/**
 * How a policy stands in a cluster. `foreign`: the name is taken by something that is not ours.
 * `not-served`: the server has no such kind.
 */
export type PolicyState =
  | { readonly is: 'not-served'; readonly policy: Policy }
  | {
      readonly is: 'installed' | 'differs' | 'absent' | 'foreign';
      readonly policy: Policy;
      readonly apiVersion: string;
      readonly parts: readonly Part[];
    };

export const isOurs = ({ metadata }: KubernetesObject): boolean =>
  isRecord(metadata['labels']) && metadata['labels'][MANAGED_BY] === OURS[MANAGED_BY];

/** How the policy stands now. @throws Failure when that cannot be read. */
export async function policyStateOf(
  policy: Policy,
  kubernetes: Pick<Kubernetes, 'servedAs' | 'get'>,
  signal: AbortSignal,
): Promise<PolicyState> {
  const apiVersion = await kubernetes.servedAs(policy.needs, signal);
  if (apiVersion === undefined) return { is: 'not-served', policy };
  const parts: Part[] = [];
  for (const manifest of policy.manifests())
    parts.push({
      manifest,
      current: await kubernetes.get(manifest.kind, undefined, manifest.metadata.name, signal),
    });
  const there = parts.flatMap(({ current }) => current ?? []);
  if (!there.every(isOurs)) return { is: 'foreign', policy, apiVersion, parts };
  if (there.length === 0) return { is: 'absent', policy, apiVersion, parts };
  return { is: parts.every(isAsDeclared) ? 'installed' : 'differs', policy, apiVersion, parts };
}

/** Whether nothing is to be changed about it. */
export const isAsDeclared = ({ manifest, current }: Part): boolean =>
  current !== undefined &&
  current.metadata.deletionTimestamp === undefined &&
  matches(current['spec'], manifest.spec);

/**
 * Whether the server's value is the given one, but for what it adds that is empty. What it adds
 * otherwise narrows or widens the policy.
 */
function matches(current: unknown, given: unknown): boolean {
  if (Array.isArray(given))
    return (
      Array.isArray(current) &&
      current.length === given.length &&
      given.every((it, i) => matches(current[i], it))
    );
  if (!isRecord(given) || !isRecord(current)) return sameJson(current, given);
  return [...new Set([...Object.keys(given), ...Object.keys(current)])].every((key) =>
    Object.hasOwn(given, key) ? matches(current[key], given[key]) : isEmpty(current[key]),
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
