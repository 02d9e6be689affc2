import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { audited } from '../audited';
import { subnet } from '../cluster';
import { controllerDeployment, releaseMissing } from './controller-deployment';
import { AT_ONCE, type Scenario } from './scenario';
import { settles } from './settles';

const NET = { kind: 'Subnet', metadata: { name: 'snooped' } };
const QUERIER = 'mcast-querier.snooped';
/** How long the controller gets to finish what it can. */
const FINISHES_MS = 15_000;

export const querier: Scenario = {
  name: 'querier',
  about:
    'A Subnet with a multicast querier hangs in its deletion behind the querier’s address: the doctor frees it, and takes the address though that Subnet owns it.',
  missing: releaseMissing,
  async run({ rig, healthy, shell, measured }) {
    const { objects } = rig;
    const opened = shell(AT_ONCE);
    const wrong: string[] = [];
    // Without its collection, which takes the querier's port and record.
    await rig.restartController(0);
    await objects.create(controllerDeployment());
    await objects.create(subnet('snooped', '10.63.0.0/24', { enableMulticastSnoop: true }));
    const has = await waitFor(async () => (await objects.get('IP', QUERIER)) !== undefined, {
      what: 'the querier to have an address',
      timeoutMs: 20_000,
    }).catch(() => false);
    measured('has a querier', Number(has !== false));
    const accused = (await audited(opened)).findings.filter(
      ({ subject }) => subject.name === QUERIER,
    );
    wrong.push(...accused.map(({ summary }) => `accused: ${summary}`));
    await objects.remove(NET);
    await sleep(FINISHES_MS);
    const hangs = (await objects.get('Subnet', 'snooped')) !== undefined;
    measured('hangs', Number(hangs));
    const { findings } = await audited(opened);
    const isFound = findings.some(
      ({ rule, subject }) => rule === 'stuck-subnet-deletion' && subject.name === 'snooped',
    );
    if (hangs !== isFound) wrong.push(hangs ? 'not found: the Subnet' : 'accused: the Subnet');
    if (hangs) {
      const freed = await opened.run('steward doctor subnet/snooped --free --yes --by anna');
      if (freed.code !== 0)
        wrong.push(`the doctor ended with ${freed.code}: ${freed.stdout}${freed.stderr}`);
    }
    opened.close();
    await objects.remove(controllerDeployment());
    wrong.push(...(await settles(rig, healthy, 'freed')));
    return wrong;
  },
};
