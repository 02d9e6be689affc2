import { setTimeout as sleep } from 'node:timers/promises';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import type { Rig } from '../rig';
import { change, free, hang, HANGING, leftOf, VANISHED } from './hanging';
import { destroyLeftOf } from './left-of-vpc';
import { controllerDeployment, releaseMissing } from './controller-deployment';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

type Left = ReadonlyMap<string, unknown>;

/** Of a finalizer that the controller leaves for ever. */
const UNKNOWN = 'which Kube-OVN before v1.13 does not know';
/** What says that a start is not enough. */
const STAYS = [UNKNOWN, 'a restart of the Kube-OVN controller does not', 'a restart does not help'];

const VPC = { kind: 'Vpc', metadata: { name: VANISHED } };
/** How long the controller gets to finish what it can. */
const FINISHES_MS = 20_000;
/** Those that only later releases finish (seen: none by v1.14.41, all by v1.15.24 and v1.16.2). */
const LATER: ReadonlySet<string> = new Set([
  'hanging-fip-none',
  'hanging-dnat-none',
  'hanging-iptables-eip',
]);

/**
 * Those whose NAT is gone: only some releases take that for done (seen: v1.15.24 and v1.17-dev, not
 * v1.14.41 or v1.16.2, whose `DeleteNat` fails without the row).
 */
const WITHOUT_NAT: ReadonlySet<string> = new Set(['hanging-fip-blue', 'hanging-snat-blue']);

/** What each object's finding says and advises, by name. */
async function advised(shell: Shell): Promise<ReadonlyMap<string, string>> {
  const { findings } = await audited(shell);
  return new Map(
    findings
      .filter((found) => found.class === 'stuck')
      .map(({ subject, summary, remedy }) => [
        subject.name,
        summary.includes(UNKNOWN) ? UNKNOWN : (remedy?.advice ?? ''),
      ]),
  );
}

/** What the start of the controller did that the advice does not say. */
function afterStart(advice: ReadonlyMap<string, string>, left: Left): readonly string[] {
  return [...advice].flatMap(([name, says]) => {
    if (says.startsWith('restart the Kube-OVN controller') && left.has(name))
      return [`a start did not finish ${name}: ${says}`];
    if (STAYS.some((it) => says.includes(it)) && !left.has(name))
      return [`a start finished ${name}: ${says}`];
    return [];
  });
}

/** The same of a change of the object; what no release of a sort finishes is not searched for. */
const afterChange = (advice: ReadonlyMap<string, string>, left: Left): readonly string[] => [
  ...[...advice]
    .filter(([name, says]) => says === UNKNOWN && !left.has(name))
    .map(([name, says]) => `a change finished ${name}: ${says}`),
  ...[...advice]
    .filter(([name, says]) => says.startsWith('change the object') && left.has(name))
    .filter(([name]) =>
      [LATER, WITHOUT_NAT].every((names) => !names.has(name) || finishesSome(names, left)),
    )
    .map(([name, says]) => `a change did not finish ${name}: ${says}`),
];

/** Whether the release finishes any of those. */
const finishesSome = (names: ReadonlySet<string>, left: Left): boolean =>
  [...names].some((name) => !left.has(name));

/** The same of an empty Vpc of the name that is missing. */
async function afterVpc(rig: Rig, finishesWithoutNat: boolean): Promise<readonly string[]> {
  await rig.objects.create({ ...VPC, spec: {} });
  await sleep(5_000);
  await change(rig);
  await sleep(FINISHES_MS);
  const left = await leftOf(rig);
  return [
    ...[`hanging-fip-${VANISHED}`, `hanging-snat-${VANISHED}`]
      .filter((name) => finishesWithoutNat && left.has(name))
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
  missing: releaseMissing,
  async run({ rig, healthy, shell }) {
    const opened = shell(AT_ONCE);
    await rig.restartController();
    await rig.objects.create(controllerDeployment());
    await hang(rig);
    const advice = await advised(opened);
    opened.close();
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
    wrong.push(...(await afterVpc(rig, finishesSome(WITHOUT_NAT, changed))));

    await rig.objects.remove(controllerDeployment());
    await free(rig);
    await rig.objects.remove(VPC);
    await rig.restartController(COLLECTS_EVERY);
    const left = await settles(rig, healthy, 'freed, and the controller started', 20_000);
    wrong.push(...(await destroyLeftOf(VANISHED, left, rig)));
    return wrong;
  },
};
