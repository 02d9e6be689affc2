import type { Northbound, Row } from './northbound';
import type { Objects } from './objects';

/** Switches Kube-OVN passes over by name, whoever owns them (kube-ovn.md §4.3). */
const SKIPPED_SWITCHES = new Set(['ts', 'ovn-external', 'external']);
const CLUSTER_ROUTER = 'ovn-cluster';

/**
 * What an unmodified controller with its default flags does to the Northbound when it starts, in
 * its order: no vendor is asked for (`enable-external-vpc=false`, kube-ovn.md §0.1, §4.3–§4.6,
 * §4.10, §5). Nothing has a grace: what the API server does not have at that moment is garbage.
 */
export async function startUp(nb: Northbound, objects: Objects): Promise<void> {
  await migrateAclTier(nb);
  await removePoliciesNotInSpec(nb, objects);
  await collectSwitches(nb, objects);
  await collectRouters(nb, objects);
  await collectLoadBalancers(nb, objects);
  await collectNetworkPolicyGroups(nb, objects);
  await collectRoutePolicies(nb, objects);
}

const namesOf = async (objects: Objects, kind: string): Promise<Set<string>> =>
  new Set((await objects.list(kind)).map((it) => it.metadata.name));

/** `MigrateACLTier`: every ACL of every owner from tier 0 to 2. */
async function migrateAclTier(nb: Northbound): Promise<void> {
  await nb.update(
    'ACL',
    (await nb.rows('ACL')).filter((it) => it.columns['tier'] === 0),
    { tier: 2 },
  );
}

/**
 * `handleAddOrUpdateVpc` of a custom VPC: policies of its router that are not in its spec, but for
 * those with certain keys.
 */
async function removePoliciesNotInSpec(nb: Northbound, objects: Objects): Promise<void> {
  const routers = await nb.rows('Logical_Router');
  const policies = await nb.rows('Logical_Router_Policy');
  for (const vpc of await objects.list('Vpc')) {
    const router = routers.find((it) => it.name === vpc.metadata.name);
    if (!router || vpc.metadata.name === CLUSTER_ROUTER) continue;
    const wanted = (
      (vpc.spec?.['policyRoutes'] ?? []) as { priority: number; match: string }[]
    ).map((it) => `${it.priority} ${it.match}`);
    const held = new Set(listed(router, 'policies'));
    await nb.release(
      'Logical_Router',
      'policies',
      policies.filter(
        ({ uuid, keys, columns }) =>
          held.has(uuid) &&
          !('subnet' in keys) &&
          !('vpc-egress-gateway' in keys) &&
          keys['isU2ORoutePolicy'] !== 'true' &&
          !wanted.includes(`${String(columns['priority'])} ${String(columns['match'])}`),
      ),
    );
  }
}

async function collectSwitches(nb: Northbound, objects: Objects): Promise<void> {
  const subnets = await namesOf(objects, 'Subnet');
  await nb.remove(
    'Logical_Switch',
    (await nb.rows('Logical_Switch')).filter(
      ({ name }) => !subnets.has(name) && !SKIPPED_SWITCHES.has(name),
    ),
  );
}

/**
 * `gcCustomLogicalRouter`: also what takes the router from under living subnets after their Vpc is
 * gone (#5068).
 */
async function collectRouters(nb: Northbound, objects: Objects): Promise<void> {
  const vpcs = await namesOf(objects, 'Vpc');
  await nb.remove(
    'Logical_Router',
    (await nb.rows('Logical_Router')).filter(
      ({ name }) => name !== CLUSTER_ROUTER && !vpcs.has(name),
    ),
  );
}

async function collectLoadBalancers(nb: Northbound, objects: Objects): Promise<void> {
  const kept = await namesOf(objects, 'OvnDnatRule');
  for (const { status } of await objects.list('Vpc')) {
    for (const [key, name] of Object.entries(status ?? {}))
      if (key.endsWith('LoadBalancer')) kept.add(name as string);
  }
  await nb.remove(
    'Load_Balancer',
    (await nb.rows('Load_Balancer')).filter(({ name }) => !kept.has(name)),
  );
}

/**
 * Port groups with a key `np` of two parts that name no policy, no node, and no subnet on a node.
 */
async function collectNetworkPolicyGroups(nb: Northbound, objects: Objects): Promise<void> {
  const nodes = await namesOf(objects, 'Node');
  const subnets = await namesOf(objects, 'Subnet');
  const policies = new Set(
    (await objects.list('NetworkPolicy')).map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    ),
  );
  await nb.remove(
    'Port_Group',
    (await nb.rows('Port_Group')).filter(({ keys }) => {
      const [first, second, more] = (keys['np'] ?? '').split('/');
      if (first === undefined || second === undefined || more !== undefined) return false;
      return (
        !policies.has(`${first}/${second}`) &&
        !((first === 'node' || subnets.has(first)) && nodes.has(second))
      );
    }),
  );
}

/**
 * All policies of priority 29250 on the cluster router whose source is no pod with a north gateway.
 */
async function collectRoutePolicies(nb: Northbound, objects: Objects): Promise<void> {
  const router = (await nb.rows('Logical_Router')).find(({ name }) => name === CLUSTER_ROUTER);
  if (!router) return;
  const held = new Set(listed(router, 'policies'));
  const sources = new Set(
    (await objects.list('Pod'))
      .filter(({ metadata }) => metadata.annotations?.['ovn.kubernetes.io/north_gateway'])
      .map(({ metadata }) => metadata.annotations?.['ovn.kubernetes.io/ip_address'] ?? ''),
  );
  await nb.release(
    'Logical_Router',
    'policies',
    (await nb.rows('Logical_Router_Policy')).filter(
      ({ uuid, columns }) =>
        held.has(uuid) &&
        columns['priority'] === 29250 &&
        !sources.has(String(columns['match']).replace(/^ip[46]\.src == /, '')),
    ),
  );
}

/** A column that may be one value or a set. */
const listed = ({ columns }: Row, column: string): readonly string[] =>
  [columns[column] ?? []].flat() as string[];
