import { ascendingBy } from '@ovn-steward/shared/compare';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { alive, type Cluster, uuidsOf } from '../cluster';
import { specOf } from '../kube-ovn/nat-gateway-parts';
import { givenTo, vipSpec } from '../kube-ovn/vips';
import { isGivenEip } from '../kube-ovn/ips';
import type { Ill } from './ill';

/** Addresses that two have, and counts of them that are wrong. */
export function* addressIlls(cluster: Cluster): Generator<Ill> {
  yield* doublePorts(cluster);
  yield* doubleRecords(cluster);
  yield* miscounts(cluster);
}

/** The address of an IP object, with its subnet. */
export const addressOf = (ip: KubernetesObject): string =>
  `${specOf(ip)['subnet']} ${specOf(ip)['ipAddress']}`;

/** Two ports of a switch with one address. */
function* doublePorts(cluster: Cluster): Generator<Ill> {
  const ports = cluster.rows('Logical_Switch_Port');
  for (const [, network] of cluster.rows('Logical_Switch')) {
    const first = new Map<string, { uid: string; name: string }>();
    const sorted = uuidsOf(network['ports'])
      .map((uid) => ({ uid, row: ports.get(uid)! }))
      .filter(({ row }) => row['type'] === '')
      .map(({ uid, row }) => ({
        uid,
        name: String(row['name']),
        addresses: String(row['addresses']),
      }))
      .sort(ascendingBy((it) => it.name));
    for (const { uid, name, addresses } of sorted)
      for (const address of addresses.split(' ').slice(1)) {
        const other = first.get(address);
        if (other)
          yield {
            rule: 'duplicate-port-address',
            uid,
            what: `ports ${other.name} and ${name} have ${address}`,
            expected: 'must',
          };
        else first.set(address, { uid, name });
      }
  }
}

/** Two records of one address: said of the younger, or of one that a Vip was given, too. */
function* doubleRecords(cluster: Cluster): Generator<Ill> {
  const byAddress = new Map<string, KubernetesObject[]>();
  for (const ip of cluster.objects.all('IP')) {
    if (!alive(ip)) continue;
    const key = addressOf(ip);
    byAddress.set(key, [...(byAddress.get(key) ?? []), ip]);
  }
  for (const vip of cluster.objects.all('Vip')) {
    const key = `${vipSpec(vip).subnet} ${givenTo(vip)}`;
    for (const ip of alive(vip) ? (byAddress.get(key) ?? []) : []) {
      const { uid, name } = ip.metadata;
      const what = `${key} is of IP ${name} and of Vip ${vip.metadata.name}`;
      yield { rule: 'duplicate-address-record', uid, what, expected: 'must' };
    }
  }
  const born = (ip: KubernetesObject): string =>
    `${String(ip.metadata['creationTimestamp'])} ${ip.metadata.uid}`;
  for (const [key, all] of byAddress)
    for (const ip of all.sort(ascendingBy(born)).slice(1))
      yield {
        rule: 'duplicate-address-record',
        uid: ip.metadata.uid,
        what: `${key} has two records`,
        expected: 'must',
      };
}

function* miscounts(cluster: Cluster): Generator<Ill> {
  for (const subnet of cluster.objects.all('Subnet')) {
    const { name, uid } = subnet.metadata;
    const counted = (subnet['status'] as { v4usingIPs?: number } | undefined)?.v4usingIPs;
    const held = heldIn(cluster, name);
    if (counted !== undefined && counted !== held)
      yield {
        rule: 'subnet-usage-drift',
        uid,
        what: `Subnet ${name} counts ${counted}, and ${held} are held`,
        expected: 'must',
      };
  }
}

/** Different addresses; Kube-OVN counts objects. */
const heldIn = (cluster: Cluster, subnet: string): number =>
  new Set(
    [
      ...[...cluster.objects.all('IP')].map(addressOf),
      ...[...cluster.objects.all('OvnEip')]
        .filter(isGivenEip)
        .map((it) => `${specOf(it)['externalSubnet']} ${specOf(it)['v4Ip']}`),
      ...[...cluster.objects.all('IptablesEIP')].flatMap((eip) => {
        const { ip } = (eip['status'] ?? {}) as { ip?: string };
        return ip === undefined ? [] : `${specOf(eip)['externalSubnet']} ${ip}`;
      }),
      // What a Vip asks for and was not given is held by nobody.
      ...[...cluster.objects.all('Vip')].flatMap((it) =>
        givenTo(it) === undefined ? [] : `${vipSpec(it).subnet} ${givenTo(it)}`,
      ),
    ].filter((it) => it.startsWith(`${subnet} `)),
  ).size;
