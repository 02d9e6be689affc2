import { waitFor } from '@ovn-steward/testbed/run/wait';
import { addressed, pod, subnet, WORKERS } from '../cluster';
import { addEgressGateway, type EgressPlan, removeEgressGateway, rowsOf } from '../egress-gateways';
import { gone } from '../gateways';
import { releaseGiven } from '../provided';
import type { Rig } from '../rig';
import { foundOf, losses } from './egress-losses';
import { expected } from './found';
import { destroyLeftOf, routerGone } from './left-of-vpc';
import { lostEgressGateway } from './lost-egress-gateway';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const NAMESPACE = 'tenant';
const VPC = { kind: 'Vpc', metadata: { name: 'egress' } };
const SUBNET = 'egress-a';
const PLAN: EgressPlan = { namespace: NAMESPACE, name: 'out', vpc: 'egress', subnet: SUBNET };
const CLIENT = pod(NAMESPACE, 'client-0', WORKERS[1], {
  annotations: { 'ovn.kubernetes.io/logical_switch': SUBNET },
});

/** A VPC with a BFD port, its subnet, and a pod whose traffic the gateway is to carry. */
async function addVpc({ objects }: Rig): Promise<void> {
  await objects.create({ ...VPC, spec: { bfdPort: { enabled: true, ip: '10.255.255.253' } } });
  await objects.create(subnet(SUBNET, '10.63.0.0/24', { vpc: VPC.metadata.name }));
  await waitFor(
    async () => {
      const status = (await objects.get('Vpc', VPC.metadata.name))?.status;
      return ((status?.['bfdPort'] as { ip?: string } | undefined)?.ip ?? '') !== '';
    },
    { what: 'the BFD port of the Vpc', timeoutMs: 60_000 },
  );
  await addressed(objects, CLIENT);
}

async function removeVpc({ objects }: Rig): Promise<void> {
  await objects.remove(CLIENT, true);
  await gone(objects, { kind: 'IP', metadata: { name: `client-0.${NAMESPACE}` } });
  const its = { kind: 'Subnet', metadata: { name: SUBNET } };
  await objects.remove(its);
  await gone(objects, its);
  await objects.remove(VPC);
  await gone(objects, VPC);
}

export const egressGateway: Scenario = {
  name: 'egress-gateway',
  about:
    'What is lost of a VpcEgressGateway that is ready is found and nothing else, and mended by a start of the controller and by a change of the object; what it leaves is found and removed.',
  missing: () =>
    /^v1\.1[23]\./.test(releaseGiven()) ? `${releaseGiven()} has no VpcEgressGateway` : undefined,
  async run(stage) {
    const { rig, healthy, shell } = stage;
    const opened = shell(AT_ONCE);
    await addVpc(rig);
    await addEgressGateway(rig.objects, PLAN);
    await waitFor(async () => (await rowsOf(rig, PLAN, 'Logical_Router_Policy')).length >= 4, {
      what: 'its router policies',
      timeoutMs: 30_000,
    });
    const wrong = expected('all made', await foundOf(opened), []);
    const sessions = (await rowsOf(rig, PLAN, 'BFD')).length;
    if (sessions !== WORKERS.length) wrong.push(`it has ${sessions} sessions`);
    wrong.push(...(await losses(stage, PLAN, opened)));
    await removeEgressGateway(rig.objects, PLAN);
    wrong.push(...expected('the gateway is deleted', await foundOf(opened), []));
    wrong.push(...(await lostEgressGateway(stage, PLAN, opened)));
    opened.close();
    await rig.restartController(COLLECTS_EVERY);
    await removeVpc(rig);
    await routerGone(rig, VPC.metadata.name);
    await rig.nbctl('--if-exists', 'destroy', 'HA_Chassis_Group', `bfd@${VPC.metadata.name}`);
    const left = await settles(rig, healthy, 'without the Vpc', 20_000);
    wrong.push(...(await destroyLeftOf(VPC.metadata.name, left, rig)));
    return wrong;
  },
};
