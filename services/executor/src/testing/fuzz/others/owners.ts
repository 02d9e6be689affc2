import { named } from '../cluster';
import { reasonToKeep } from '../oracle';
import type { Move } from './move';
import { dropPort, podPorts, takeDown } from './pods';

/** The owner goes and what was made for it stays, as when a watch event is missed. */
export const loseOwner: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  const kind = random.pick([
    'Pod',
    'Pod',
    'VirtualMachine',
    'NetworkPolicy',
    'SecurityGroup',
    'Service',
  ]);
  const object = random.maybe(
    kubernetes.objects(kind).filter((each) => each.metadata.namespace !== 'kube-system'),
  );
  if (!object) return;
  kubernetes.remove(kind, object.metadata.namespace, object.metadata.name);
  // The chassis takes its interfaces away, most of the time.
  if (random.chance(0.85))
    takeDown(cluster, `${object.metadata.namespace}/${object.metadata.name}`);
};

/**
 * Kube-OVN's own collection, or the controller's finishing of an IP: it removes what is garbage,
 * too.
 */
export const collect: Move = (cluster) => {
  if (cluster.controller.goneSince() !== undefined) return;
  const uuid = cluster.random.maybe(
    podPorts(cluster).filter(
      (uid) =>
        reasonToKeep(cluster, {
          source: 'ovn-nb',
          kind: 'Logical_Switch_Port',
          uid,
          name: '',
        }) === undefined,
    ),
  );
  if (uuid !== undefined) dropPort(cluster, uuid);
};

/** The controller sees that an IP object is to go: it removes the port, then the finalizer. */
export const finish: Move = (cluster) => {
  const { kubernetes, random, controller } = cluster;
  if (controller.goneSince() !== undefined) return;
  const kind = random.pick(['IP', 'IP', 'IP', 'Vip', 'OvnEip', 'IPPool'] as const);
  const object = random.maybe(
    kubernetes.objects(kind).filter((each) => each.metadata.deletionTimestamp !== undefined),
  );
  if (!object) return;
  const port = named(cluster, 'Logical_Switch_Port', object.metadata.name);
  if (port !== undefined && random.chance(0.8)) dropPort(cluster, port);
  if (random.chance(0.8)) kubernetes.remove(kind, undefined, object.metadata.name);
};
