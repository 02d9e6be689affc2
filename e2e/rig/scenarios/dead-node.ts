import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import { addressed, CHASSIS, ownerOf, pod, SPARE, statefulSet } from '../cluster';
import { gone } from '../gateways';
import type { Rig } from '../rig';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const LOST = { kind: 'IP', metadata: { name: 'dead-0.shop' } };
/** So many configurations the dead node lacks. */
const BEHIND = 5;
/** And for so long. */
const MINUTES = 20;

/** What is leaked of the pod. */
const lostIn = async (shell: Shell): Promise<Finding | undefined> =>
  (await audited(shell)).findings.find(
    ({ rule, subject }) => rule === 'leaked-ip' && subject.name === LOST.metadata.name,
  );

const isUp = async ({ nbctl }: Rig): Promise<boolean> =>
  (await nbctl('get', 'Logical_Switch_Port', LOST.metadata.name, 'up')).trim() === 'true';

/** What each chassis says it has of the configuration: those that live all of it. */
async function report({ sbctl }: Rig): Promise<void> {
  const now = Date.now();
  for (const [node, chassis] of CHASSIS) {
    const isDead = node === SPARE;
    await sbctl(
      'create',
      'Chassis_Private',
      `name=${chassis}`,
      `nb_cfg=${isDead ? 10 - BEHIND : 10}`,
      `nb_cfg_timestamp=${now - (isDead ? MINUTES * 60_000 : 0)}`,
    );
  }
}

/** A pod on a node that dies while the controller is away: its port stays up. */
async function dieWith({ objects, addNode, killNode, restartController }: Rig, rig: Rig) {
  await addNode(SPARE);
  await waitFor(
    async () =>
      (await objects.get('Node', SPARE))?.metadata.annotations?.['ovn.kubernetes.io/allocated'] ===
      'true',
    { what: `node ${SPARE} to have an address`, timeoutMs: 60_000 },
  );
  const set = await objects.create(statefulSet('shop', 'dead', 1));
  const lost = pod('shop', 'dead-0', SPARE, { ownerReferences: [ownerOf(set)] });
  await addressed(objects, lost);
  await waitFor(() => isUp(rig), { what: 'its port to be up', timeoutMs: 60_000 });
  await restartController();
  killNode(SPARE);
  await objects.remove(lost, true);
  await objects.remove(set);
  await objects.remove({ kind: 'Node', metadata: { name: SPARE } });
  await report(rig);
  // Without its collection, which takes all of it.
  await restartController(0);
}

export const deadNode: Scenario = {
  name: 'dead-node',
  about:
    'The address of a pod that died with its node is found while the silent chassis still claims its port, and removed when the chassis is gone.',
  async run({ rig, healthy, shell }) {
    const opened = shell(AT_ONCE);
    const wrong: string[] = [];
    await dieWith(rig, rig);
    const claimed = await lostIn(opened);
    if (!claimed?.summary.includes(`bound on the silent chassis of node ${SPARE}`))
      wrong.push(`not found: the address behind a dead claim: ${claimed?.summary}`);
    if (claimed?.remedy) wrong.push('accused: a port that counts as up is to be removed');
    const chassis = CHASSIS.get(SPARE)!;
    await rig.sbctl('chassis-del', chassis);
    await waitFor(async () => !(await isUp(rig)), {
      what: 'its port to be down',
      timeoutMs: 60_000,
    });
    await opened.run('steward plan --look --rule leaked-ip --out plan.yaml');
    const applied = await opened.run('steward apply plan.yaml');
    if (applied.code !== 0) wrong.push(`apply ended with ${applied.code}: ${applied.stdout}`);
    await gone(rig.objects, LOST).catch((error: unknown) => wrong.push(String(error)));
    opened.close();
    for (const name of CHASSIS.values())
      await rig.sbctl('--if-exists', 'destroy', 'Chassis_Private', name);
    await rig.restartController(COLLECTS_EVERY);
    wrong.push(...(await settles(rig, healthy, 'without the node')));
    return wrong;
  },
};
