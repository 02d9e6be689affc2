import { waitFor } from '@ovn-steward/testbed/run/wait';
import { openShell } from '../../support/shell';
import { subnet } from '../cluster';
import { destroyLeftOf } from './left-of-vpc';
import { COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const VPC = { kind: 'Vpc', metadata: { name: 'guarded' } };
const NET = { kind: 'Subnet', metadata: { name: 'guarded-net' } };

export const guard: Scenario = {
  name: 'guard',
  about:
    'With the policies of the guard a Vpc with subnets cannot be deleted; in the right order both go, and the controller removes what they had.',
  async run({ rig, healthy }) {
    const { objects } = rig;
    const administrator = openShell(rig.settings);
    const wrong: string[] = [];
    await administrator.run('steward guard install --yes');
    await objects.create({ ...VPC, spec: { namespaces: [] } });
    await objects.create(subnet(NET.metadata.name, '10.60.0.0/24', { vpc: VPC.metadata.name }));
    // Once the Vpc says that it has the subnet, and the API server respects the policy.
    await waitFor(async () => (await objects.refusalOf(VPC)) !== undefined, {
      what: 'the deletion of a Vpc with a subnet to be refused',
      timeoutMs: 60_000,
    }).catch((error: unknown) => wrong.push(String(error)));
    await objects.remove(NET);
    // Kube-OVN may write a list of subnets that is older than the one before (seen: v1.12.35).
    await waitFor(() => objects.remove(VPC).then(() => true), {
      what: 'the Vpc without subnets to be allowed to go',
      timeoutMs: 60_000,
    }).catch((error: unknown) => wrong.push(String(error)));
    await rig.restartController(COLLECTS_EVERY);
    const left = await settles(rig, healthy, 'guarded, and the controller started', 20_000);
    wrong.push(...(await destroyLeftOf(VPC.metadata.name, left, rig)));
    await administrator.run('steward guard remove --yes');
    administrator.close();
    return wrong;
  },
};
