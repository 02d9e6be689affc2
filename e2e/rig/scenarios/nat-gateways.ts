import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Shell } from '../../support/shell';
import type { Thing } from '../../incidents/actor/objects';
import { addressed, addressOf, ownerOf, pod, statefulSet, WORKERS } from '../cluster';
import { addGateway, gone, type GatewayPlan, partsOf, removeGateway } from '../gateways';
import type { Rig } from '../rig';
import { expected, found } from './found';
import { withoutGateway } from './lost-gateway';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const LOST = { kind: 'IP', metadata: { name: 'lost-0.tenant' } };

/**
 * A pod that went while the controller was away; its address is still behind the rules of a
 * gateway.
 */
async function lose(
  { objects, nbctl, restartController }: Rig,
  set: Thing,
  lost: Thing,
): Promise<void> {
  await restartController();
  await objects.remove(lost, true);
  await objects.remove(set);
  await waitFor(
    async () => {
      const up = await nbctl('get', 'Logical_Switch_Port', LOST.metadata.name, 'up');
      return up.trim() === 'false';
    },
    { what: 'its port to be down', timeoutMs: 60_000 },
  );
  // Without its collection, which takes such a record in the end.
  await restartController(0);
}

/** The record of that address: kept while the rules lead to it, removed when they are gone. */
async function behindRules(rig: Rig, shell: Shell, plan: GatewayPlan): Promise<readonly string[]> {
  const { objects } = rig;
  const wrong: string[] = [];
  const leaked = `leaked-ip ${LOST.metadata.name}`;
  const kept = await found(shell);
  wrong.push(...expected('while rules lead to it', kept, [leaked]));
  if (kept.some(({ remedy }) => remedy !== null))
    wrong.push('accused: an address that a rule of a gateway leads to is to be removed');
  for (const one of ['fip', 'dnat', 'snat']) {
    const part = partsOf(plan).find(({ metadata }) => metadata.name === `${plan.name}-${one}`)!;
    await objects.remove(part);
    await gone(objects, part);
  }
  wrong.push(...expected('when the rules are gone', await found(shell), [leaked]));
  await shell.run('steward plan --look --rule leaked-ip --out plan.yaml');
  const applied = await shell.run('steward apply plan.yaml');
  if (applied.code !== 0) wrong.push(`apply ended with ${applied.code}: ${applied.stdout}`);
  await gone(objects, LOST).catch((error: unknown) => wrong.push(String(error)));
  return wrong;
}

export const natGateways: Scenario = {
  name: 'nat-gateways',
  about:
    'An address is kept while a rule of a NAT gateway leads to it, and removed after; addresses and rules that lost their gateway are found as they hang, and freed.',
  async run(stage) {
    const { rig, healthy, shell } = stage;
    const { objects } = rig;
    const opened = shell(AT_ONCE);
    const set = await objects.create(statefulSet('tenant', 'lost', 1));
    const lost = pod('tenant', 'lost-0', WORKERS[1], { ownerReferences: [ownerOf(set)] });
    const address = addressOf(await addressed(objects, lost));
    const plan: GatewayPlan = {
      name: 'gw-lost',
      vpc: 'blue',
      subnet: 'blue-a',
      lanIp: '10.50.0.253',
      cidr: '10.50.0.0/24',
      leadsTo: [address, address],
    };
    await addGateway(objects, plan);
    const wrong = expected('all made', await found(opened), []);
    await lose(rig, set, lost);
    wrong.push(...(await behindRules(rig, opened, plan)));
    await removeGateway(objects, plan);
    wrong.push(...(await settles(rig, healthy, 'the gateway is deleted')));

    await addGateway(objects, { ...plan, leadsTo: ['10.50.0.200', '10.50.0.201'] });
    wrong.push(...(await withoutGateway(stage, plan)));
    opened.close();
    await rig.restartController(COLLECTS_EVERY);
    wrong.push(...(await settles(rig, healthy, 'freed, and the controller started')));
    return wrong;
  },
};
