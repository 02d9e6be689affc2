import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { plant } from '../faults';
import { differences, networkState } from '../network-state';
import { openShell, type Shell } from '../../support/shell';
import { COLLECTS_EVERY, type Scenario, type Stage } from './scenario';
import { startServices } from './services';
import { settles } from './settles';
import { untaggedIn } from './untagged';

/** What enforces beside the controller. */
interface Enforcer {
  /** Reads what was found and decided. */
  readonly shell: Shell;
  /** Ends it. Gives what it logged, and whether it failed. */
  stop(): Promise<{ readonly log: string; readonly failed: boolean }>;
}

/** `steward run` with these settings besides `mode: enforce`. */
const inOneProcess =
  (settings: Readonly<Record<string, unknown>>) =>
  async ({ shell: open }: Stage): Promise<Enforcer> => {
    const { executor, ...others } = settings as { executor?: object };
    const shell = open({ ...others, executor: { ...executor, mode: 'enforce' } });
    const beside = shell.runBeside('steward run --output ndjson');
    return {
      shell,
      async stop() {
        const { code, stderr } = await beside.stop();
        return { log: `it ended with ${code}: ${stderr}`, failed: code === 1 };
      },
    };
  };

/** The services on Kafka, with graces of 20 s. */
async function onKafka({ rig }: Stage): Promise<Enforcer> {
  const services = await startServices(rig, {
    analyzer: { 'grace.garbage': '20s', 'grace.leak': '20s' },
    executor: { 'executor.mode': 'enforce', 'executor.yield.afterLease': '0s' },
  });
  return {
    shell: openShell(services.settings),
    stop: async () => ({ log: await services.stop(), failed: false }),
  };
}

/** @param minutes it may take so long. */
const enforcing = (
  name: string,
  about: string,
  begin: (stage: Stage) => Promise<Enforcer>,
  minutes: number,
): Scenario => ({
  name,
  about,
  async run(stage) {
    const { rig } = stage;
    const planted = await plant(rig);
    const isUntagged = await untaggedIn(rig, await planted.lose());
    await rig.restartController(0);
    const enforcer = await begin(stage);
    try {
      return await enforced(stage, enforcer, isUntagged, minutes);
    } catch (error) {
      // It must not go on removing beside the next scenario.
      await enforcer.stop().catch(() => undefined);
      throw error;
    }
  },
});

async function enforced(
  { rig, healthy }: Stage,
  enforcer: Enforcer,
  isUntagged: (difference: string) => boolean,
  minutes: number,
): Promise<readonly string[]> {
  await waitFor(
    async () =>
      differences(healthy, await networkState(rig)).every(
        (one) => !one.startsWith('left') || isUntagged(one),
      ),
    { what: 'all that is dead to be removed', timeoutMs: minutes * 60_000 },
  ).catch(() => undefined);
  // Whatever else it would remove.
  await sleep(10_000);
  const wrong = (await settles(rig, healthy, 'enforced', 5_000)).filter((it) => !isUntagged(it));
  const decided = await enforcer.shell.run('steward actions --output json');
  const found = await enforcer.shell.run('steward findings --output json');
  const { log, failed } = await enforcer.stop();
  if (wrong.length > 0 || failed)
    wrong.push(log, `what was decided: ${decided.stdout}`, `what is found: ${found.stdout}`);
  await rig.restartController(COLLECTS_EVERY);
  wrong.push(...(await settles(rig, healthy, 'enforced, and the controller started')));
  enforcer.shell.close();
  return wrong;
}

export const enforce = enforcing(
  'enforce',
  'What is dead is removed by itself with graces of 20 s, and nothing else; the controller’s next start changes nothing.',
  inOneProcess({
    grace: { garbage: '20s', leak: '20s' },
    executor: { yield: { afterLease: '0s' } },
  }),
  8,
);

export const enforceOnKafka = enforcing(
  'enforce-on-kafka',
  'The same by the three services on Kafka, each under its account of the chart.',
  onKafka,
  8,
);

export const enforceDefaults = enforcing(
  'enforce-defaults',
  'The same with the graces, ceilings and yields that are the default: takes twenty minutes.',
  inOneProcess({}),
  25,
);
