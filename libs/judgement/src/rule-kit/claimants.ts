import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type { Entity, Kind } from '../world/entity';
import type { Presence, View } from './view';

/** Kinds that may keep a port or an address alive. */
export const CLAIMANT_KINDS = [
  'Pod',
  'StatefulSet',
  'VirtualMachine',
  'VirtualMachineInstance',
  'Vip',
  'Node',
  'OvnEip',
  'Subnet',
  'IP',
] as const satisfies readonly Kind[];

/** A kind that is read for some names only: without it the rest can still be judged. */
export const RARE_CLAIMANT_KINDS = ['VpcNatGateway'] as const satisfies readonly Kind[];

export type ClaimantKind = (typeof CLAIMANT_KINDS | typeof RARE_CLAIMANT_KINDS)[number];

/** Something that would keep the port or address alive if it existed. */
export interface Claimant {
  readonly kind: ClaimantKind;
  readonly key: string;
  /** When existence alone is not enough: whether the object found does claim. */
  readonly claims?: (found: Entity<ClaimantKind>) => boolean;
}

/** What became of a port's or an address's claimants; once one claims, no other matters. */
export interface Claims {
  /** The first claimant that exists and claims; then nothing is said of the others. */
  readonly by?: Claimant;
  /** Claimants nobody can rule out, as `Kind key`. */
  readonly unknown: readonly string[];
  /** Claimants proven not to exist. */
  readonly absent: readonly Claimant[];
  /** Objects that exist but do not claim, such as a StatefulSet scaled below the ordinal. */
  readonly declined: readonly Entity<ClaimantKind>[];
}

/**
 * Reads each claimant until one claims: nearly always the first, and what was not read need not
 * be watched.
 */
export function claimsOf(claimants: readonly Claimant[], view: View<ClaimantKind>): Claims {
  const unknown: string[] = [];
  const absent: Claimant[] = [];
  const declined: Entity<ClaimantKind>[] = [];
  const seen = new Set<string>();
  for (const claimant of claimants) {
    const question = `${claimant.kind} ${claimant.key}`;
    if (seen.has(question)) continue;
    seen.add(question);
    const presence: Presence = view.presence(claimant.kind, claimant.key);
    if (presence === 'unknown') unknown.push(question);
    else if (presence === 'absent') absent.push(claimant);
    else if (!claimant.claims) return { by: claimant, unknown: [], absent: [], declined: [] };
    else {
      const found = view.get(claimant.kind, claimant.key)!;
      if (claimant.claims(found)) return { by: claimant, unknown: [], absent: [], declined: [] };
      declined.push(found);
    }
  }
  return { unknown, absent, declined };
}

const ORDINAL = /^(.+)-(0|[1-9][0-9]*)$/;

/**
 * NAT gateways that the pod may be of. One that is not highly available has one pod,
 * `<prefix>-<gateway>-0`; `natGwNamePrefix` of ConfigMap ovn-vpc-nat-config says the prefix, which
 * is `vpc-nat-gw` unless somebody changed it (`GenNatGwPodName`, pkg/util/vpc_nat_gateway.go).
 */
function gatewaysOfPod(pod: string): string[] {
  if (!pod.endsWith('-0')) return [];
  const parts = pod.slice(0, -'-0'.length).split('-');
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join('-'));
}

/**
 * Who may own what Kube-OVN names after `<namespace>/<name>`: the pod; the virtual machine or its
 * instance, whose NICs keep the machine's name; the StatefulSet while the ordinal is within
 * `[start, start + replicas)` (kube-ovn.md §6.3); and the NAT gateway, whose StatefulSet the
 * controller makes again when it is missing.
 */
export function workloadClaimants(namespace: string, name: string): Claimant[] {
  const key = objectKey(namespace, name);
  const claimants: Claimant[] = [
    { kind: 'Pod', key },
    { kind: 'VirtualMachine', key },
    { kind: 'VirtualMachineInstance', key },
  ];
  const [, set, ordinal] = ORDINAL.exec(name) ?? [];
  if (set !== undefined)
    claimants.push({
      kind: 'StatefulSet',
      key: objectKey(namespace, set),
      claims: (found) => wantsOrdinal(found as Entity<'StatefulSet'>, Number(ordinal)),
    });
  return [
    ...claimants,
    ...gatewaysOfPod(name).map((gateway) => ({ kind: 'VpcNatGateway', key: gateway }) as const),
  ];
}

/** Whether the set wants a pod of that ordinal. An unreadable replica count keeps everything. */
function wantsOrdinal(set: Entity<'StatefulSet'>, ordinal: number): boolean {
  const replicas = set.object.spec?.replicas ?? 1;
  const start = set.object.spec?.ordinals?.start ?? 0;
  if (!Number.isInteger(replicas) || !Number.isInteger(start)) return true;
  return ordinal >= start && ordinal < start + replicas;
}
