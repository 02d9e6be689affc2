import { blockText } from '../kube-ovn/cidr';
import { isBeingDeleted } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import { unchanged, value } from './facts';
import type { GatewayRuleKind } from './gateway-deletion';
import { healthy, type Verdict, violation } from './rule';

type Kind = GatewayRuleKind | 'OvnSnatRule' | 'OvnDnatRule';

/**
 * A NAT rule that was changed after Kube-OVN made it, and works by its former values.
 *
 * The status has what the controller wrote into OVN or the gateway. At a start it passes over what
 * is ready (`handleAddOvnDnatRule` in pkg/controller/ovn_dnat.go, `handleAddIptablesDnatRule` in
 * vpc_nat_gw_nat.go and their like, v1.12 to v1.16; seen beside v1.14.41 and v1.15.24). What only
 * one of spec and status has is left alone: the controller may take it from elsewhere.
 */
export function unappliedChange(rule: Entity<Kind>, fields: readonly string[]): Verdict {
  const { spec, status } = rule.object;
  if (isBeingDeleted(rule) || status?.ready !== true) return healthy;
  const differing = fields.flatMap((name) => {
    const wanted = textOf(spec, name);
    const has = textOf(status, name);
    return wanted === '' || has === '' || isApplied(wanted, has) ? [] : [{ name, wanted, has }];
  });
  if (differing.length === 0) return healthy;
  const said = differing.map(({ name, wanted, has }) => `${name} ${wanted} and still has ${has}`);
  return violation({
    summary: `${rule.kind} ${rule.name} asks for ${said.join(', ')}: Kube-OVN has not carried out the change`,
    proof: [
      ...differing.flatMap(({ name, wanted, has }) => [
        value(rule, `spec.${name}`, wanted),
        value(rule, `status.${name}`, has),
      ]),
      unchanged(rule),
    ],
  });
}

function textOf(fields: object | undefined, name: string): string {
  const text = (fields as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof text === 'string' ? text : '';
}

/**
 * Whether the status has what is asked for, or its IPv4 part: of a SNAT rule of both families the
 * controller keeps that alone, on master with the length that an address was written without
 * (`patchSnatStatus` in pkg/controller/vpc_nat_gw_nat.go). Protocols are written in either case.
 */
const isApplied = (wanted: string, has: string): boolean => {
  const parts = partsOf(wanted);
  return partsOf(has).every((it) => parts.includes(it));
};

const partsOf = (text: string): string[] =>
  text.split(',').map((it) => blockText(it.trim()).toLowerCase());
