import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Rig } from '../rig';
import { expected, found } from './found';
import { destroyLeftOf, routerGone } from './left-of-vpc';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const VPC = { kind: 'Vpc', metadata: { name: 'watched' } };
const GROUP = 'bfd@watched';

const hasGroup = async ({ nbctl }: Rig): Promise<boolean> =>
  (await nbctl('--bare', '--columns=name', 'list', 'HA_Chassis_Group')).split('\n').includes(GROUP);

export const bfdPort: Scenario = {
  name: 'bfd-port',
  about:
    'The group of chassis of a Vpc’s BFD port is kept while the Vpc is there; what Kube-OVN leaves of it then, over a start too, is found and removed.',
  async run({ rig, healthy, shell, measured }) {
    const opened = shell(AT_ONCE);
    const { objects } = rig;
    await objects.create({ ...VPC, spec: { bfdPort: { enabled: true, ip: '10.255.255.255' } } });
    const made = await waitFor(() => hasGroup(rig), {
      what: 'the group of its BFD port',
      timeoutMs: 20_000,
    }).catch(() => false);
    // Releases before v1.14 have no such ports.
    measured('has a BFD port', Number(made !== false));
    const wrong = expected('while its Vpc is there', await found(opened), []);
    await objects.remove(VPC);
    await waitFor(async () => (await objects.get('Vpc', VPC.metadata.name)) === undefined, {
      what: 'the Vpc to be gone',
      timeoutMs: 60_000,
    });
    await routerGone(rig, VPC.metadata.name);
    await rig.restartController(COLLECTS_EVERY);
    const isLeft = await hasGroup(rig);
    measured('group left', Number(isLeft));
    const groups = (await found(opened)).filter(({ rule }) => rule === 'orphaned-ha-chassis-group');
    wrong.push(
      ...expected('without its Vpc', groups, isLeft ? [`orphaned-ha-chassis-group ${GROUP}`] : []),
    );
    if (isLeft) {
      await opened.run('steward plan --look --rule orphaned-ha-chassis-group --out plan.yaml');
      const applied = await opened.run('steward apply plan.yaml');
      if (applied.code !== 0) wrong.push(`apply ended with ${applied.code}: ${applied.stdout}`);
      if (await hasGroup(rig)) wrong.push(`still there: ${GROUP}`);
    }
    opened.close();
    const left = await settles(rig, healthy, 'without the Vpc', 20_000);
    wrong.push(...(await destroyLeftOf(VPC.metadata.name, left, rig)));
    return wrong;
  },
};
