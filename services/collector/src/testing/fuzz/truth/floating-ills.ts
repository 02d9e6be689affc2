import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { alive, type Cluster } from '../cluster';
import { isReady, nats, specOf, statusOf } from '../kube-ovn/floating-ips';
import { snatOf } from '../kube-ovn/snat-rules';
import type { Ill } from './ill';

/** What is wrong with NATs of floating IPs; all that a history has were made for some. */
export function* floatingIlls(cluster: Cluster): Generator<Ill> {
  const fips = [...cluster.objects.all('OvnFip')];
  const eips = [...cluster.objects.all('OvnEip')];
  const ends = new Set(
    fips.flatMap((fip) => {
      const { v4Ip, v6Ip, ovnEip } = specOf(fip);
      const eip = statusOf(cluster.objects.get('OvnEip', undefined, ovnEip));
      return [`${eip.v4Ip} ${v4Ip}`, `${eip.v6Ip} ${v6Ip}`];
    }),
  );
  const there = [...nats(cluster)];
  for (const { uid, external, logical } of there) {
    if (ends.has(`${external} ${logical}`)) continue;
    const eip = eips.map(statusOf).find((it) => [it.v4Ip, it.v6Ip].includes(external));
    // Of IPv4 the OvnEip counts what uses it; without one only an option says whose the NAT was.
    // One that leads there, too, may be the one it was made for, under an OvnEip that went.
    const isLedTo = fips.map(specOf).some((it) => [it.v4Ip, it.v6Ip].includes(logical));
    const isReported =
      (cluster.release.marksNats && !isLedTo) ||
      (eip !== undefined && (external.includes(':') || eip.nat === 'fip'));
    const what = `NAT ${external} for ${logical} is of no floating IP`;
    yield { rule: 'orphaned-nat', uid, what, expected: isReported ? 'must' : 'may' };
  }
  for (const fip of fips) {
    const { uid, name } = fip.metadata;
    const what = `OvnFip ${name}`;
    if (!alive(fip)) yield { rule: 'stuck-ovn-fip-deletion', uid, what, expected: 'must' };
    // Of its family alone, and to wherever: the address outside is its own.
    else if (isReady(fip) && !there.some((it) => it.external === readyOf(fip).v4Eip))
      yield { rule: 'ovn-fip-without-nat', uid, what: `${what} has no NAT`, expected: 'must' };
  }
}

/** The same of rules by which whole subnets share an address. */
export function* snatIlls(cluster: Cluster): Generator<Ill> {
  const rules = [...cluster.objects.all('OvnSnatRule')];
  const there = [...nats(cluster, 'snat')];
  const ends = new Set(
    rules.flatMap((rule) => {
      const { ovnEip, v4IpCidr } = snatOf(rule);
      const eip = statusOf(cluster.objects.get('OvnEip', undefined, ovnEip));
      const served = readyOf(rule);
      // What it was made for stays in use when the spec is changed: nobody carries that out.
      return [`${eip.v4Ip} ${v4IpCidr}`, `${served.v4Eip} ${served.v4IpCidr}`];
    }),
  );
  for (const { uid, external, logical } of there) {
    if (ends.has(`${external} ${logical}`)) continue;
    const isReported = [...cluster.objects.all('OvnEip')]
      .map(statusOf)
      .some((it) => it.v4Ip === external && it.nat === 'snat');
    const what = `NAT ${external} for ${logical} is of no SNAT rule`;
    yield { rule: 'orphaned-nat', uid, what, expected: isReported ? 'must' : 'may' };
  }
  for (const rule of rules) {
    const { uid, name } = rule.metadata;
    const { v4Eip, v4IpCidr } = readyOf(rule);
    const what = `OvnSnatRule ${name}`;
    if (alive(rule) && isReady(rule) && v4IpCidr !== snatOf(rule).v4IpCidr)
      yield { rule: 'ovn-snat-rule-change-ignored', uid, what, expected: 'must' };
    if (!alive(rule)) yield { rule: 'stuck-ovn-snat-rule-deletion', uid, what, expected: 'must' };
    else if (isReady(rule) && !there.some((it) => it.external === v4Eip && it.logical === v4IpCidr))
      yield {
        rule: 'ovn-snat-rule-without-nat',
        uid,
        what: `${what} has no NAT`,
        expected: 'must',
      };
  }
}

const readyOf = (rule: KubernetesObject): { readonly v4Eip?: string; readonly v4IpCidr?: string } =>
  (rule['status'] ?? {}) as { v4Eip?: string; v4IpCidr?: string };
