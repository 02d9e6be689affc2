import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { plant } from '../faults';
import { differences, networkState } from '../network-state';
import { COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';
import { untaggedIn } from './untagged';

/** With these settings besides `mode: enforce`; it may take so long. */
const enforcing = (
  name: string,
  about: string,
  settings: Readonly<Record<string, unknown>>,
  minutes: number,
): Scenario => ({
  name,
  about,
  async run({ rig, healthy, shell }) {
    const { executor, ...others } = settings as { executor?: object };
    const it = shell({ ...others, executor: { ...executor, mode: 'enforce' } });
    const planted = await plant(rig);
    const isUntagged = await untaggedIn(rig, await planted.lose());
    await rig.restartController(0);
    const beside = it.runBeside('steward run --output ndjson');
    await waitFor(
      async () =>
        differences(healthy, await networkState(rig)).every(
          (one) => !one.startsWith('left') || isUntagged(one),
        ),
      { what: 'all that is dead to be removed', timeoutMs: minutes * 60_000 },
    ).catch(() => undefined);
    // Whatever else it would remove.
    await sleep(10_000);
    const { code, stderr } = await beside.stop();
    const wrong = (await settles(rig, healthy, 'enforced', 5_000)).filter((it) => !isUntagged(it));
    if (wrong.length > 0 || code === 1)
      wrong.push(
        `it ended with ${code}: ${stderr}`,
        `what was decided: ${(await it.run('steward actions --output json')).stdout}`,
        `what is found: ${(await it.run('steward findings --output json')).stdout}`,
      );
    await rig.restartController(COLLECTS_EVERY);
    wrong.push(...(await settles(rig, healthy, 'enforced, and the controller started')));
    it.close();
    return wrong;
  },
});

export const enforce = enforcing(
  'enforce',
  'What is dead is removed by itself with graces of 20 s, and nothing else; the controller’s next start changes nothing.',
  { grace: { garbage: '20s', leak: '20s' }, executor: { yield: { afterLease: '0s' } } },
  4,
);

export const enforceDefaults = enforcing(
  'enforce-defaults',
  'The same with the graces, ceilings and yields that are the default: takes twenty minutes.',
  {},
  25,
);
