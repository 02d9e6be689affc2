import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import { releaseGiven } from '../provided';
import type { Rig } from '../rig';
import {
  addLan,
  addMachine,
  launcherOf,
  type Machine,
  NAMESPACE,
  removeMachines,
  start,
  stop,
} from './machines';
import { type Migration, migrationOf } from './migrations';
import { AT_ONCE, COLLECTS_EVERY, type Scenario, type Stage } from './scenario';
import { settles } from './settles';

const MACHINE: Machine = { name: 'vm-moves', interfaces: ['pod4a'] };
/** With two interfaces on one network, whose ports go with a launcher pod from v1.16 on. */
const SEVERAL: Machine = { name: 'vm-several', interfaces: ['pod5a', 'pod5b'] };

/** What is found, each rule and subject once. */
async function found(shell: Shell): Promise<readonly string[]> {
  const { findings } = await audited(shell);
  return [...new Set(findings.map((it) => `${it.rule} ${it.subject.name}`))].sort();
}

/** Its ports, each with the chassis that it asks for. */
async function portsOf({ nbctl }: Rig, { name }: Machine): Promise<ReadonlyMap<string, string>> {
  const text = await nbctl(
    ...['--format=json', '--columns=name,options', 'find', 'Logical_Switch_Port'],
    `external_ids:pod="${NAMESPACE}/${name}"`,
  );
  const { data } = JSON.parse(text) as { data: [string, [string, [string, string][]]][] };
  return new Map(
    data.map(([port, [, options]]) => [port, new Map(options).get('requested-chassis') ?? '']),
  );
}

/** Those that ask for two. */
const twoOf = (ports: ReadonlyMap<string, string>): string[] =>
  [...ports].flatMap(([port, chassis]) => (chassis.includes(',') ? [port] : [])).sort();

const until = (
  rig: Rig,
  machine: Machine,
  what: string,
  isIt: (two: readonly string[]) => boolean,
): Promise<unknown> =>
  waitFor(async () => isIt(twoOf(await portsOf(rig, machine))), {
    what: `${what} of machine ${machine.name} to ask for two chassis`,
    timeoutMs: 30_000,
  });
const begins = (rig: Rig, machine: Machine): Promise<unknown> =>
  until(rig, machine, 'a port', (two) => two.length > 0);
const ends = (rig: Rig, machine: Machine): Promise<unknown> =>
  until(rig, machine, 'no port', (two) => two.length === 0);

/** A machine runs, and its migration has begun: its ports ask for two chassis. */
async function begun(rig: Rig, machine: Machine): Promise<Migration> {
  const moves = await migrationOf(rig.objects, machine, await start(rig.objects, machine));
  await moves.begin();
  await begins(rig, machine);
  return moves;
}

/** The machine stops on the second worker. */
async function over({ objects }: Rig, machine: Machine, moves: Migration): Promise<void> {
  await moves.forget();
  await objects.remove(launcherOf(machine, 'y'), true);
  await stop(objects, machine);
}

/** What is found otherwise than it should be. */
type Expects = (when: string, wanted: readonly string[]) => Promise<void>;

const optionsLeft = (port: string): string => `migration-options-left ${port}`;

/** The controller sees all of a migration. */
async function seen(rig: Rig, expects: Expects): Promise<void> {
  const moves = await begun(rig, MACHINE);
  await expects('while it migrates', []);
  await moves.succeed();
  await ends(rig, MACHINE);
  await expects('it has migrated', []);
  await moves.leave();
  await expects('the first launcher is gone', []);
  await over(rig, MACHINE, moves);
}

/** It does not see the end of one, whose object is there when it starts, or is not. */
async function unseen({ rig, measured }: Stage, expects: Expects): Promise<void> {
  for (const isThere of [true, false]) {
    const when = `it ended without the controller, and its object is ${isThere ? 'there' : 'gone'}`;
    const moves = await begun(rig, MACHINE);
    await rig.restartController();
    await moves.succeed();
    await moves.leave();
    if (!isThere) await moves.forget();
    const left = twoOf(await portsOf(rig, MACHINE));
    if (left.length === 0) throw new Error(`no port asks for two chassis: ${when}`);
    await expects(when, left.map(optionsLeft));
    await rig.restartController(COLLECTS_EVERY);
    if (isThere) await ends(rig, MACHINE);
    const two = twoOf(await portsOf(rig, MACHINE));
    measured(`ports left by a migration whose object is ${isThere ? 'there' : 'gone'}`, two.length);
    await expects(`${when}, and the controller started`, isThere ? [] : left.map(optionsLeft));
    for (const port of two)
      for (const option of ['requested-chassis', 'activation-strategy'])
        await rig.nbctl('remove', 'Logical_Switch_Port', port, 'options', option);
    await expects(`${when}, and mended`, []);
    await over(rig, MACHINE, moves);
  }
}

/** Ports that go with the first launcher, though the second has them, are missed. */
async function several({ rig, measured }: Stage, expects: Expects): Promise<void> {
  const moves = await begun(rig, SEVERAL);
  const before = await portsOf(rig, SEVERAL);
  await moves.succeed();
  await ends(rig, SEVERAL);
  await moves.leave();
  await waitFor(async () => (await portsOf(rig, SEVERAL)).size < before.size, {
    what: 'ports to go with the first launcher',
    timeoutMs: 10_000,
  }).catch(() => undefined);
  const lost = before.size - (await portsOf(rig, SEVERAL)).size;
  measured('ports lost at the end of a migration', lost);
  const launcher = launcherOf(SEVERAL, 'y').metadata.name;
  await expects(
    'it has several interfaces',
    lost === 0 ? [] : [`missing-logical-switch-port ${launcher}`],
  );
  await over(rig, SEVERAL, moves);
}

export const migration: Scenario = {
  name: 'migration',
  about:
    'While a machine migrates nothing is found; what a migration that ended without the controller leaves at its ports is, and is mended as the finding advises.',
  missing: () =>
    /^v1\.1[23]\./.test(releaseGiven())
      ? `${releaseGiven()} takes migrations from other fields than this plays`
      : undefined,
  async run(stage) {
    const { rig, healthy, shell } = stage;
    const opened = shell(AT_ONCE);
    const wrong: string[] = [];
    const expects: Expects = async (when, wanted) => {
      const is = await found(opened);
      wrong.push(
        ...wanted.filter((one) => !is.includes(one)).map((one) => `not found: ${one}, ${when}`),
        ...is.filter((one) => !wanted.includes(one)).map((one) => `accused: ${one}, ${when}`),
      );
    };
    await addLan(rig.objects);
    for (const machine of [MACHINE, SEVERAL]) await addMachine(rig.objects, machine);
    await seen(rig, expects);
    await unseen(stage, expects);
    await several(stage, expects);
    opened.close();
    await removeMachines(rig.objects, [MACHINE, SEVERAL]);
    wrong.push(...(await settles(rig, healthy, 'without the machines')));
    return wrong;
  },
};
