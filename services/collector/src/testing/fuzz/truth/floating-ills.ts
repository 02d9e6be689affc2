import { alive, type Cluster } from '../cluster';
import { nats, specOf, statusOf } from '../kube-ovn/floating-ips';
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
    const isSaid =
      (cluster.release.marksNats && !isLedTo) ||
      (eip !== undefined && (external.includes(':') || eip.nat === 'fip'));
    const what = `NAT ${external} for ${logical} is of no floating IP`;
    yield { rule: 'orphaned-nat', uid, what, say: isSaid ? 'must' : 'may' };
  }
  for (const fip of fips) {
    const { uid, name } = fip.metadata;
    const what = `OvnFip ${name}`;
    if (!alive(fip)) yield { rule: 'stuck-ovn-fip-deletion', uid, what, say: 'must' };
  }
}
