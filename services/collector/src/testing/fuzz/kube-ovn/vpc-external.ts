import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { operation as op } from '@ovn-steward/ovsdb';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { routerPort, switchPort } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { alive, type Cluster, remove, rowNamed } from '../cluster';
import { EXTERNAL } from '../create-external';
import type { Controller, Handler, Job } from './controller';
import { macOf } from './ipam';
import { statusPut, vpcOf } from './vpc-status';

/** Of the nodes that a router may leave by; without one the ports are not made. */
export const GATEWAY_NODE = 'ovn.kubernetes.io/external-gw';

/** What a router has outside. */
export const OUTSIDE = { v4Ip: '198.51.100.230', v6Ip: '2001:db8::230' } as const;

/** The OvnEip of the router, called as its port. */
export const eipOf = (vpc: string): string => `${vpc}-${EXTERNAL}`;

interface Outside {
  readonly enableExternal?: boolean;
}
const asks = (cluster: Cluster, vpc: string): boolean =>
  (vpcOf(cluster, vpc)?.['spec'] as Outside | undefined)?.enableExternal === true;
const isJoined = (cluster: Cluster, vpc: string): boolean =>
  (vpcOf(cluster, vpc)?.['status'] as Outside | undefined)?.enableExternal === true;

/** The way outside, made or removed; that it is so is written last (handleUpdateVpcExternal). */
export function* tendOutside(controller: Controller, vpc: string): Job {
  const { cluster } = controller;
  const isAsked = asks(cluster, vpc);
  if (!isAsked && !isJoined(cluster, vpc)) return;
  if (isAsked && !isJoined(cluster, vpc)) {
    if (!(yield* join(controller, vpc))) return;
  } else if (!isAsked) yield* leaveOutside(controller, vpc);
  const current = vpcOf(cluster, vpc);
  if (!current) return;
  statusPut(cluster, current, { enableExternal: isAsked });
  yield;
}

/** The OvnEip first, then both ports at once (handleAddVpcExternalSubnet); whether it came to that. */
function* join({ cluster }: Controller, vpc: string): Generator<undefined, boolean, void> {
  const name = eipOf(vpc);
  if (!cluster.objects.get('OvnEip', undefined, name)) {
    cluster.put({
      kind: 'OvnEip',
      metadata: {
        name,
        labels: LABELS,
        managedFields: [writtenBy('kube-ovn-controller')],
      },
      spec: { type: 'lrp', externalSubnet: EXTERNAL, ...OUTSIDE },
    });
    cluster.diary.push(`OvnEip ${name} made for Vpc ${vpc}`);
    yield;
  }
  const nodes = [...cluster.objects.all('Node')];
  if (
    !nodes.some(({ metadata }) => Object.hasOwn((metadata['labels'] ?? {}) as object, GATEWAY_NODE))
  )
    return false;
  const [router] = rowNamed(cluster, 'Logical_Router', vpc) ?? [];
  const [network] = rowNamed(cluster, 'Logical_Switch', EXTERNAL) ?? [];
  if (router === undefined || network === undefined) return false;
  if (rowNamed(cluster, 'Logical_Switch_Port', `${EXTERNAL}-${vpc}`)) return true;
  const { random } = cluster;
  cluster.write(
    ...add('Logical_Switch_Port', random.uuid(), switchPort(vpc, EXTERNAL), {
      table: 'Logical_Switch',
      uuid: network,
      column: 'ports',
    }),
    ...add(
      'Logical_Router_Port',
      random.uuid(),
      routerPort(vpc, EXTERNAL, macOf(cluster), `${OUTSIDE.v4Ip}/24`),
      { table: 'Logical_Router', uuid: router, column: 'ports' },
    ),
  );
  cluster.diary.push(`Vpc ${vpc} is joined to ${EXTERNAL}`);
  yield;
  return true;
}

/** As the API server notes who wrote what is asked for. */
export const writtenBy = (manager: string): object => ({
  manager,
  operation: 'Update',
  fieldsV1: { 'f:spec': { 'f:externalSubnet': {}, 'f:type': {}, 'f:v4Ip': {}, 'f:v6Ip': {} } },
});

/** Of one that was given its addresses; by the first it is counted. */
const LABELS = {
  'ovn.kubernetes.io/subnet': EXTERNAL,
  'ovn.kubernetes.io/eip_v4_ip': OUTSIDE.v4Ip,
};

/** The address of a router is given: labels, status and finalizer (handleAddOvnEip). */
export const eipsOfRouters: Handler = (controller, event) => {
  if (event.is !== 'now' || (event.object['spec'] as { type: string }).type !== 'lrp') return;
  const { name } = event.object.metadata;
  if (alive(event.object) && event.object['status'] === undefined)
    controller.enqueueOnce(`eip ${name}`, () => serveEip(controller.cluster, name));
};

function* serveEip(cluster: Cluster, name: string): Job {
  const eip = cluster.objects.get('OvnEip', undefined, name);
  if (!alive(eip) || eip['status'] !== undefined) return;
  const finalizers = [cluster.release.finalizer];
  const status = { ...OUTSIDE, type: 'lrp', nat: '', ready: true };
  const metadata = { ...eip.metadata, labels: LABELS, finalizers };
  cluster.put({ ...eip, metadata, status } as unknown as GivenObject);
  yield;
}

/** Both ports at once, then the OvnEip (handleDelVpcExternalSubnet). */
export function* leaveOutside({ cluster }: Controller, vpc: string): Job {
  const ends = [
    ['Logical_Switch', EXTERNAL, 'Logical_Switch_Port', `${EXTERNAL}-${vpc}`],
    ['Logical_Router', vpc, 'Logical_Router_Port', eipOf(vpc)],
  ] as const;
  const writes = ends.flatMap(([table, holder, ports, name]) => {
    const [from] = rowNamed(cluster, table, holder) ?? [];
    const [uid] = rowNamed(cluster, ports, name) ?? [];
    if (from === undefined || uid === undefined) return [];
    return [op.mutate(table, op.byUuid(from), [['ports', 'delete', op.uuid(uid)]])];
  });
  if (writes.length > 0) {
    cluster.write(...writes);
    cluster.diary.push(`Vpc ${vpc} is not joined to ${EXTERNAL} any more`);
    yield;
  }
  const eip = cluster.objects.get('OvnEip', undefined, eipOf(vpc));
  if (!alive(eip)) return;
  remove(cluster, eip);
  cluster.diary.push(`OvnEip ${eipOf(vpc)} being deleted`);
  yield;
}
