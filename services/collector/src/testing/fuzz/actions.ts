import { operation as op } from '@ovn-steward/ovsdb';
import { type Cluster, uuidsOf } from './cluster';
import type { Controller } from './kube-ovn/controller';
import { dropPolicy, gatewayPolicies } from './kube-ovn/gateways';
import { dropPort } from './kube-ovn/rows';
import { changeFloatingIp } from './others/floating-ips';
import * as neutron from './others/neutron';
import * as people from './others/people';
import * as policyWriters from './others/policy-writers';
import { changeSession } from './others/sessions';
import { changeSnat } from './others/snat-rules';
import { stranger } from './others/strangers';
import { changeVlan } from './others/vlans';
import type { Delivery } from './feeds/delivery';

/** All that a step may touch. */
export interface Stage {
  readonly cluster: Cluster;
  readonly controller: Controller;
  readonly delivery: Delivery;
}

export type Act = (stage: Stage) => void;

const inCluster =
  (act: (cluster: Cluster) => void): Act =>
  ({ cluster }) =>
    act(cluster);

const crash: Act = ({ cluster, controller }) => {
  if (controller.state === 'down') return;
  controller.crash();
  cluster.diary.push('the controller died');
};
const start: Act = ({ cluster, controller }) => {
  if (controller.state === 'up') return;
  controller.start();
  cluster.diary.push('a controller started');
};
/** Also of one that works: its watches may stop without its knowledge. */
const blind: Act = ({ cluster, controller }) => {
  if (controller.state !== 'up') return;
  controller.state = 'blind';
  cluster.diary.push('the controller went blind');
};

/** Ports that pods have: one of these is taken by mistake. */
const takePort: Act = ({ cluster }) => {
  const label = cluster.random.maybe(
    [...cluster.labels.values()].filter(
      (port) =>
        port.kind === 'Logical_Switch_Port' &&
        cluster.rows('Logical_Switch_Port').has(port.uid) &&
        !port.name.startsWith('node-'),
    ),
  );
  if (label) dropPort(cluster, label.name);
};

/** The policy of a pod's own gateway goes by mistake. */
const takePolicy: Act = ({ cluster }) => {
  const policy = cluster.random.maybe([...gatewayPolicies(cluster)]);
  if (policy) dropPolicy(cluster, policy.source);
};

/** A policy's group, its ACLs, or one of them go by mistake. */
const takeAcls: Act = ({ cluster }) => {
  const label = cluster.random.maybe(
    [...cluster.labels.values()].filter((it) => cluster.rows('Port_Group').has(it.uid)),
  );
  if (!label) return;
  const group = op.byUuid(label.uid);
  const { random } = cluster;
  const acl = random.maybe(uuidsOf(cluster.rows('Port_Group').get(label.uid)!['acls']));
  if (acl !== undefined && random.chance(0.5)) {
    cluster.write(op.mutate('Port_Group', group, [['acls', 'delete', op.set([op.uuid(acl)])]]));
    cluster.diary.push(
      `the ACL of group ${label.name} for ${cluster.labels.get(acl)?.name} was taken`,
    );
    return;
  }
  cluster.write(
    random.chance(0.5)
      ? op.remove('Port_Group', group)
      : op.update('Port_Group', group, { acls: op.set([]) }),
  );
  cluster.diary.push(`group ${label.name} was taken, or its ACLs`);
};

/** What leads to the outside is made, used or taken. */
const changeOutside = (cluster: Cluster): void =>
  cluster.random.chance(0.6) ? changeSession(cluster) : changeFloatingIp(cluster);

/** Subnets' uplink is made, used or taken, or the VLAN it goes over changed. */
const changeUplink = (cluster: Cluster): void =>
  cluster.random.chance(0.3) ? changeVlan(cluster) : changeSnat(cluster);

/** What happens to a stream: most often to one that matters here. */
const MATTER = [
  'ovn-nb',
  'kubernetes/Pod',
  'kubernetes/IP',
  'kubernetes/StatefulSet',
  'kubernetes/VirtualMachine',
  'kubernetes/Subnet',
  'kubernetes/Vip',
  'kubernetes/Node',
  'kubernetes/NetworkPolicy',
];
const streamOf = ({ cluster: { random }, delivery }: Stage): string =>
  random.chance(0.8) ? random.pick(MATTER) : random.pick(delivery.names);
const lag: Act = (stage) => {
  const name = streamOf(stage);
  stage.delivery.lag(name, stage.cluster.now);
  stage.cluster.diary.push(`${name} falls behind`);
};
const lose: Act = (stage) => {
  const name = streamOf(stage);
  stage.delivery.lose(
    name,
    stage.cluster.random.pick(['forbidden', 'unreachable']),
    stage.cluster.now,
  );
  stage.cluster.diary.push(`${name} cannot be read`);
};
const mend: Act = (stage) => {
  const { delivery, cluster } = stage;
  for (const name of delivery.names) {
    if (delivery.stateOf(name) === 'following' || cluster.random.chance(0.3)) continue;
    if (delivery.stateOf(name) === 'lagging' && cluster.random.chance(0.5)) delivery.resume(name);
    else delivery.relist(name, cluster.now);
    cluster.diary.push(`${name} is reported again`);
  }
};
const relist: Act = (stage) => {
  const name = streamOf(stage);
  stage.delivery.relist(name, stage.cluster.now);
  stage.cluster.diary.push(`${name} is read again`);
};

/** Each is drawn by its weight. */
const ACTS: readonly (readonly [weight: number, act: Act])[] = [
  [16, inCluster(people.createPod)],
  [10, inCluster(people.deletePod)],
  [6, inCluster(people.remakePod)],
  [6, inCluster(people.changeSet)],
  [5, inCluster(people.changeMachine)],
  [4, inCluster(people.touchIp)],
  [3, inCluster(people.stall)],
  [6, inCluster(policyWriters.changePolicy)],
  [3, inCluster(policyWriters.relabel)],
  [2, inCluster(stranger)],
  [3, inCluster(changeOutside)],
  [3, inCluster(changeUplink)],
  [2, takePort],
  [1, takePolicy],
  [1, inCluster(people.forgoGateway)],
  [2, takeAcls],
  [8, crash],
  [9, start],
  [2, blind],
  [3, lag],
  [2, lose],
  [6, mend],
  [2, relist],
  [1, inCluster(neutron.createNetwork)],
  [2, inCluster(neutron.createPort)],
  [1, inCluster(neutron.dropForeignPort)],
  [1, inCluster(neutron.createGroup)],
  [1, inCluster(neutron.dropGroup)],
  [1, inCluster(neutron.maintain)],
  [10, () => undefined],
];
const BAG: readonly Act[] = ACTS.flatMap(([weight, act]) =>
  Array.from({ length: weight }, () => act),
);

/** What somebody does, drawn. */
export const act: Act = (stage) => stage.cluster.random.pick(BAG)(stage);
