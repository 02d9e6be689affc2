import { HOLDER_KINDS } from '@ovn-steward/judgement/kube-ovn/address-holders';
import { operation } from '@ovn-steward/ovsdb';
import type { StoredLink, StoredRow } from '@ovn-steward/contracts/actions/undo';
import { addressesOf } from '@ovn-steward/shared/port-addresses';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import type { Systems } from '@ovn-steward/systems/systems';
import { heldBy } from './object-address-taken';
import { addressElements, spellings, usedOnSwitch } from './switch-ports';

/**
 * The holder, by now, of an address of a switch port that is to come back: another port of its
 * switch, or an object of Kube-OVN's with an address of its subnet. Reads every port of that switch
 * and every such object, a cost that is acceptable for an undo.
 * @throws Failure when it cannot be read: no known holder does not mean no holder.
 */
export async function portAddressTaken(
  port: StoredRow,
  links: readonly StoredLink[],
  systems: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  const holder = links.find(
    (it) => it.strength === 'strong' && it.to.table === port.table && it.to.uuid === port.uuid,
  );
  const wanted = new Set(addressElements(port.columns).map(addressesOf).flatMap(spellings));
  if (!holder || wanted.size === 0) return undefined;
  return (
    (await onSwitch(wanted, holder, systems, signal)) ??
    (await inKubernetes(wanted, port.name, holder.name, systems, signal))
  );
}

async function onSwitch(
  wanted: ReadonlySet<string>,
  { table, uuid, column, name }: StoredLink,
  { northbound }: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [rows] = await selectRows(
    northbound,
    [operation.select(table, operation.byUuid(uuid), [column])],
    signal,
  );
  return usedOnSwitch({ name, ports: rows?.[0]?.[column] }, wanted, [], northbound, signal);
}

async function inKubernetes(
  wanted: ReadonlySet<string>,
  port: string,
  subnet: string,
  { kubernetes }: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const kind of HOLDER_KINDS) {
    if ((await kubernetes.serves(kind, signal)) === 'not-installed') continue;
    for (const object of await kubernetes.list(kind, undefined, signal)) {
      if (isOwn(object, port)) continue;
      const taken = heldBy(kind, object).find(
        (it) => it.subnet === subnet && wanted.has(it.address),
      );
      if (taken !== undefined)
        return `${taken.address} of subnet ${subnet} belongs to ${kind} ${object.metadata.name} now`;
    }
  }
  return undefined;
}

/**
 * An IP has the name of its port; a Vip's port may have its namespace in the name as well
 * (kube-ovn.md §3.1).
 */
const isOwn = ({ metadata: { name }, spec }: KubernetesObject, port: string): boolean =>
  name === port ||
  (isRecord(spec) &&
    typeof spec['namespace'] === 'string' &&
    `${name}.${spec['namespace']}` === port);
