import {
  HOLDER_KINDS,
  type HolderKind,
  holdingsOf,
} from '@ovn-steward/judgement/kube-ovn/address-holders';
import { operation } from '@ovn-steward/ovsdb';
import { formatIp } from '@ovn-steward/shared/address';
import { describe } from '@ovn-steward/contracts/identity/reference';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import type { Systems } from '@ovn-steward/systems/systems';
import { entityOf } from './entity-of';
import { usedOnSwitch } from './switch-ports';

/** An address of a subnet, each in its one spelling. */
export interface HeldAddress {
  readonly subnet: string;
  readonly address: string;
}

/** Whether the kind holds addresses of subnets. */
export const holdsAddresses = (kind: string): kind is HolderKind =>
  (HOLDER_KINDS as readonly string[]).includes(kind);

/**
 * What an object of Kube-OVN's holds; `raw` needs metadata with an uid and a name.
 * @throws Failure `object-malformed`.
 */
export function heldBy(kind: HolderKind, raw: unknown): readonly HeldAddress[] {
  return holdingsOf(entityOf(kind, raw)).flatMap(({ subnet, addresses }) =>
    addresses.map((it) => ({ subnet, address: formatIp(it) })),
  );
}

/**
 * The holder, by now, of one of the addresses an object is to have again: another object of
 * Kube-OVN's, or a port of the subnet's switch that is not its own (`ports`). Reads all holders and
 * every port of those switches, a cost that is acceptable for an undo.
 * @throws Failure when it cannot be read: no known holder does not mean no holder.
 */
export async function objectAddressTaken(
  wanted: readonly HeldAddress[],
  ports: readonly string[],
  { kubernetes, northbound }: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (wanted.length === 0) return undefined;
  const keys = new Set(wanted.map(keyOf));
  for (const kind of HOLDER_KINDS) {
    for (const object of await allOf(kind, kubernetes, signal)) {
      const taken = heldBy(kind, object).find((it) => keys.has(keyOf(it)));
      if (taken)
        return `${taken.address} of subnet ${taken.subnet} belongs to ${describe({ kind, ...object.metadata })} now`;
    }
  }
  for (const subnet of new Set(wanted.map((it) => it.subnet))) {
    const taken = await onSwitch(
      subnet,
      new Set(wanted.filter((it) => it.subnet === subnet).map((it) => it.address)),
      ports,
      northbound,
      signal,
    );
    if (taken !== undefined) return taken;
  }
  return undefined;
}

const keyOf = ({ subnet, address }: HeldAddress): string => JSON.stringify([subnet, address]);

const allOf = async (
  kind: HolderKind,
  kubernetes: Kubernetes,
  signal: AbortSignal,
): ReturnType<Kubernetes['list']> =>
  (await kubernetes.serves(kind, signal)) === 'not-installed'
    ? []
    : kubernetes.list(kind, undefined, signal);

/** The switch of a subnet has its name; a subnet of another network has none. */
async function onSwitch(
  subnet: string,
  addresses: ReadonlySet<string>,
  own: readonly string[],
  northbound: Northbound,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [switches = []] = await selectRows(
    northbound,
    [operation.select('Logical_Switch', [['name', '==', subnet]], ['ports'])],
    signal,
  );
  for (const { ports } of switches) {
    const taken = await usedOnSwitch({ name: subnet, ports }, addresses, own, northbound, signal);
    if (taken !== undefined) return taken;
  }
  return undefined;
}
