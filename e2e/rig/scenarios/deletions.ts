import { setTimeout as sleep } from 'node:timers/promises';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import type { Rig } from '../rig';
import { change, free, hang, HANGING, leftOf, VANISHED } from './hanging';
import { destroyLeftOf } from './left-of-vpc';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

type Left = ReadonlyMap<string, unknown>;

const VPC = { kind: 'Vpc', metadata: { name: VANISHED } };
/** How long the controller gets to finish what it can. */
const FINISHES_MS = 20_000;
/** Those that only later releases finish, all of them (seen: none by v1.14.41, all by v1.15.24). */
const LATER: ReadonlySet<string> = new Set([
  'hanging-fip-blue',
  'hanging-snat-blue',
  'hanging-fip-none',
  'hanging-dnat-none',
  'hanging-iptables-eip',
]);

/** What each object's finding advises, by name. */
async function advised(shell: Shell): Promise<ReadonlyMap<string, string>> {
  const { findings } = await audited(shell);
  return new Map(
    findings
      .filter((found) => found.class === 'stuck')
      .map(({ subject, remedy }) => [subject.name, remedy?.advice ?? '']),
  );
}

/** What the start of the controller did that the advice does not say. */
function afterStart(advice: ReadonlyMap<string, string>, left: Left): readonly string[] {
  return [...advice].flatMap(([name, says]) => {
    if (says.startsWith('restart the Kube-OVN controller') && left.has(name))
      return [`a start did not finish ${name}: ${says}`];
    if (says.startsWith('a restart of the Kube-OVN controller') && !left.has(name))
      return [`a start finished ${name}: ${says}`];
    return [];
  });
}

/** The same of a change of the object. */
const afterChange = (advice: ReadonlyMap<string, string>, left: Left): readonly string[] =>
  [...advice]
    .filter(([name, says]) => says.startsWith('change the object') && left.has(name))
    .filter(([name]) => isLater(left) || !LATER.has(name))
    .map(([name, says]) => `a change did not finish ${name}: ${says}`);

/** Whether it is a release that finishes any of those. */
const isLater = (left: Left): boolean => [...LATER].some((name) => !left.has(name));

/** The same of an empty Vpc of the name that is missing. */
async function afterVpc(rig: Rig, isLaterRelease: boolean): Promise<readonly string[]> {
  await rig.objects.create({ ...VPC, spec: {} });
  await sleep(5_000);
  await change(rig);
  await sleep(FINISHES_MS);
  const left = await leftOf(rig);
  return [
    ...[`hanging-fip-${VANISHED}`, `hanging-snat-${VANISHED}`]
      .filter((name) => isLaterRelease && left.has(name))
      .map((name) => `an empty Vpc did not finish ${name}`),
    ...(left.has(`hanging-dnat-${VANISHED}`)
      ? []
      : ['an empty Vpc finished a DNAT rule without balancer']),
  ];
}

export const deletions: Scenario = {
  name: 'deletions',
  about:
    'What is being deleted while the controller is away is finished by its start, by a change of the object, by an empty Vpc or by none of these, as the advice on each says.',
  async run({ rig, healthy, shell }) {
    const it = shell(AT_ONCE);
    await rig.restartController();
    await hang(rig);
    const advice = await advised(it);
    it.close();
    const wrong = HANGING.filter(({ name }) => !advice.has(name)).map(
      ({ kind, name }) => `not found: ${kind} ${name}`,
    );
    await rig.restartController(COLLECTS_EVERY);
    await sleep(FINISHES_MS);
    wrong.push(...afterStart(advice, await leftOf(rig)));
    await change(rig);
    await sleep(FINISHES_MS);
    const changed = await leftOf(rig);
    wrong.push(...afterChange(advice, changed));
    wrong.push(...(await afterVpc(rig, isLater(changed))));

    await free(rig);
    await rig.objects.remove(VPC);
    await rig.restartController(COLLECTS_EVERY);
    const left = await settles(rig, healthy, 'freed, and the controller started', 20_000);
    wrong.push(...(await destroyLeftOf(VANISHED, left, rig)));
    return wrong;
  },
};
