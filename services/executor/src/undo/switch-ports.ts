import { type Json, operation } from '@ovn-steward/ovsdb';
import { formatIp } from '@ovn-steward/shared/address';
import { addressesOf, type PortAddresses } from '@ovn-steward/shared/port-addresses';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { uuidsInJson } from '@ovn-steward/systems/northbound/references';
import { rowNameOf } from '@ovn-steward/systems/northbound/stored-columns';

/** Ports in one read. */
const PORTS_A_READ = 2000;

/** A switch by its name, and its column `ports` as it was sent. */
export interface SwitchPorts {
  readonly name: string;
  readonly ports: Json | undefined;
}

/**
 * The elements of the columns that hold a switch port's addresses, in the forms of RFC 7047 section
 * 5.1.
 */
export const addressElements = (columns: Readonly<Record<string, unknown>>): readonly string[] => [
  ...textsIn(columns['addresses']),
  ...textsIn(columns['dynamic_addresses']),
];

function textsIn(json: unknown): readonly string[] {
  if (typeof json === 'string') return [json];
  return Array.isArray(json) && json[0] === 'set' && Array.isArray(json[1])
    ? json[1].filter((it) => typeof it === 'string')
    : [];
}

/** The MAC and the IPs that were read, each in its one spelling. */
export const spellings = ({ mac, ips }: PortAddresses): readonly string[] => [
  ...(mac === null ? [] : [mac]),
  ...ips.map(formatIp),
];

/**
 * Which port of the switch, other than those named in `own`, has one of the addresses, in a
 * sentence; a port with an address that cannot be parsed may have any. Reads every port.
 * @throws Failure when it cannot be read.
 */
export async function usedOnSwitch(
  { name, ports }: SwitchPorts,
  addresses: ReadonlySet<string>,
  own: readonly string[],
  northbound: Northbound,
  signal: AbortSignal,
): Promise<string | undefined> {
  const uuids = uuidsInJson(ports);
  for (let at = 0; at < uuids.length; at += PORTS_A_READ) {
    const read = uuids
      .slice(at, at + PORTS_A_READ)
      .map((uuid) =>
        operation.select('Logical_Switch_Port', operation.byUuid(uuid), [
          'name',
          'addresses',
          'dynamic_addresses',
        ]),
      );
    for (const row of (await selectRows(northbound, read, signal)).flat()) {
      const used = own.includes(rowNameOf(row)) ? undefined : usedBy(row, addresses);
      if (used !== undefined)
        return `${used} is used by port ${rowNameOf(row)} of switch ${name} now`;
    }
  }
  return undefined;
}

function usedBy(row: RowJson, addresses: ReadonlySet<string>): string | undefined {
  for (const element of addressElements(row)) {
    const read = addressesOf(element);
    const used = spellings(read).find((it) => addresses.has(it));
    if (used !== undefined) return used;
    if (read.form === 'unparsable')
      return `an address that cannot be read (${JSON.stringify(element.slice(0, 100))})`;
  }
  return undefined;
}
