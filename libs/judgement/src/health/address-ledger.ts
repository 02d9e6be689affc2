import { ascendingBy } from '@ovn-steward/shared/compare';
import { compareIp, formatIp, type Ip } from '@ovn-steward/shared/address';
import { type HolderKind, HOLDER_KINDS, holdingsOf } from '../kube-ovn/address-holders';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { holdersBySubnet } from '../relations/holders-by-subnet';
import { inIpam } from '../rule-kit/subnet-ipam';
import type { Entity } from '../world/entity';
import type { World } from '../world/world';

/** One record of an address. */
export interface AddressRecord {
  readonly kind: HolderKind;
  readonly name: string;
  /**
   * For whom it is, as the record says: `namespace/pod`, a gateway, a port; empty where it does not
   * say.
   */
  readonly of: string;
  readonly terminating: boolean;
}

/** One address of a subnet, and all that record it. */
export interface AddressLedgerEntry {
  readonly address: string;
  readonly family: 'v4' | 'v6';
  readonly records: readonly AddressRecord[];
  /**
   * How many hold it in truth: a Vip that is reserved for a port is the holder of that port's
   * address.
   */
  readonly holders: number;
  /** Whether the IPAM has it in use, as the status says; null where it does not. */
  readonly inIpam: boolean | null;
}

const RESERVED = 'ovn.kubernetes.io/ip_reserved';

/**
 * Who holds which address of the subnet, in the order of addresses, IPv4 first: undefined while not
 * all kinds of records are known. Reads all records of the subnet: for a person, not for a rule.
 */
export function addressLedger(
  world: World,
  subnet: string,
): readonly AddressLedgerEntry[] | undefined {
  if (!HOLDER_KINDS.every((it) => world.knows(it))) return undefined;
  const byAddress = new Map<string, { ip: Ip; records: Entity<HolderKind>[] }>();
  for (const entity of world.related(holdersBySubnet.id, subnet)) {
    const record = entity as Entity<HolderKind>;
    const held = holdingsOf(record).filter((it) => it.subnet === subnet);
    for (const ip of held.flatMap((it) => it.addresses)) {
      const known = byAddress.get(formatIp(ip));
      if (known) known.records.push(record);
      else byAddress.set(formatIp(ip), { ip, records: [record] });
    }
  }
  const of = world.byKey('Subnet', subnet).at(-1) as Entity<'Subnet'> | undefined;
  const ipam = { v4: of && inIpam(of, 'v4'), v6: of && inIpam(of, 'v6') };
  return [...byAddress]
    .sort(([, a], [, b]) => compareIp(a.ip, b.ip))
    .map(([address, { ip, records }]) => {
      const family = ip.family === 4 ? 'v4' : 'v6';
      return {
        address,
        family,
        records: records.map(recordOf).sort(ascendingBy(called)),
        holders: holdersOf(records),
        inIpam: ipam[family]?.contains(ip) ?? null,
      };
    });
}

const called = ({ kind, name }: AddressRecord): string => `${kind} ${name}`;

const recordOf = (record: Entity<HolderKind>): AddressRecord => ({
  kind: record.kind,
  name: record.name,
  of: ownerOf(record),
  terminating: isBeingDeleted(record),
});

function ownerOf({ kind, object }: Entity<HolderKind>): string {
  const spec = (object.spec ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string): string => (typeof spec[key] === 'string' ? spec[key] : '');
  if (kind === 'IP')
    return [text('namespace'), text('podName')].filter((it) => it !== '').join('/');
  return kind === 'Vip' ? (object.metadata.labels?.[RESERVED] ?? '') : text('natGwDp');
}

/** A record that is being deleted holds nothing any more. */
function holdersOf(records: readonly Entity<HolderKind>[]): number {
  const living = records.filter((it) => !isBeingDeleted(it));
  const ports = new Set(living.filter(({ kind }) => kind === 'IP').map(({ name }) => name));
  const own = living.filter(
    ({ kind, object }) => kind !== 'Vip' || !ports.has(object.metadata.labels?.[RESERVED] ?? ''),
  );
  return new Set(own.map(({ uid }) => uid)).size;
}
