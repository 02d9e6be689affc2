import { natUsersByAddress } from '@ovn-steward/judgement/relations/nat-users-by-address';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import { operation, type Operation } from '@ovn-steward/ovsdb';
import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { describe } from '@ovn-steward/contracts/identity/reference';
import type { StoredLink, StoredRow } from '@ovn-steward/contracts/actions/undo';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import { uuidsInJson } from '@ovn-steward/systems/northbound/references';
import { rowNameOf, uuidOf } from '@ovn-steward/systems/northbound/stored-columns';
import type { Systems } from '@ovn-steward/systems/systems';
import { entityOf } from './entity-of';

/**
 * Whether the outside address of a NAT that is to come back was given to another: a NAT of any
 * router, or something in Kubernetes that has one made and is not being deleted. Several SNATs of
 * one router may share an address, with DNAT rules of its VPC as well. Guards hold the NATs as they
 * were seen until the write.
 * @throws Failure when it cannot be read: no known holder does not mean no holder.
 */
export async function natAddressTaken(
  nat: StoredRow,
  links: readonly StoredLink[],
  systems: Systems,
  signal: AbortSignal,
): Promise<{ readonly taken: string } | { readonly guards: readonly Operation[] }> {
  const external = nat.columns['external_ip'];
  const router = links.find((it) => it.strength === 'strong' && it.to.uuid === nat.uuid);
  if (typeof external !== 'string' || router === undefined) return { guards: [] };
  const shares = nat.columns['type'] === 'snat';
  const where = [['external_ip', '==', external]] as const;
  const [nats = []] = await selectRows(
    systems.northbound,
    [operation.select('NAT', where, ['_uuid', 'type'])],
    signal,
  );
  const held = await selectRows(
    systems.northbound,
    nats.map((other) =>
      operation.select(
        'Logical_Router',
        [['nat', 'includes', operation.uuid(uuidOf(other))]],
        ['_uuid', 'name'],
      ),
    ),
    signal,
  );
  for (const [nth, other] of nats.entries()) {
    const routers = held[nth]!;
    if (
      shares &&
      other['type'] === 'snat' &&
      routers.every((it) => uuidsInJson(it['_uuid']).includes(router.uuid))
    )
      continue;
    return {
      taken: `${external} belongs to NAT ${uuidOf(other)} of router ${routers.map((it) => rowNameOf(it) || uuidOf(it)).join(', ')} now`,
    };
  }
  const user = await userOf(external, shares ? router.name : undefined, systems, signal);
  if (user !== undefined) return { taken: `${external} belongs to ${user} now` };
  return { guards: [operation.wait('NAT', where, ['_uuid', 'type'], [...nats])] };
}

/** @param vpc whose SNAT and DNAT rules do not count. */
async function userOf(
  external: string,
  vpc: string | undefined,
  { kubernetes }: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  const parsed = tryParseIp(external);
  const address = parsed ? formatIp(parsed) : external;
  for (const kind of natUsersByAddress.kinds) {
    if ((await kubernetes.serves(kind, signal)) === 'not-installed') continue;
    for (const raw of await kubernetes.list(kind, undefined, signal)) {
      if (raw.metadata.deletionTimestamp !== undefined) continue;
      const entity: Entity = entityOf(kind, raw);
      const isShared =
        vpc !== undefined &&
        (kind === 'OvnSnatRule' || kind === 'OvnDnatRule') &&
        (entity as Entity<'OvnSnatRule'>).object.status?.vpc === vpc;
      if (!isShared && natUsersByAddress.keys(entity as never).includes(address))
        return describe({ kind, ...raw.metadata });
    }
  }
  return undefined;
}
