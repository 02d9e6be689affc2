import { spawnSync } from 'node:child_process';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { describeWith, helm, kubectl, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { EXIT } from '../apps/steward/src/process/exit-codes';
import { type Installed, install, NAMESPACE, REMOVING } from './drained/installed';
import { drain } from './drained/drain';
import { plantPorts } from './support/leaked-ports';

const POD = 'ovn-steward-0';
const BUDGETS = `/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets`;

describeWith(helm, 'the chart in mode embedded, installed with Helm', () => {
  describeWith(ovn, 'with OVN', () => {
    describeWith(kubernetes, 'a Kubernetes', () => {
      describeWith(kubectl, 'and kubectl', () => {
        let installed: Installed;
        let before: string;
        const leaked: string[] = [];

        beforeAll(async () => {
          installed = await install(
            (remote) => ({ settings: { ...REMOVING, ovnNb: { remote } } }),
            {
              'ovn-steward': 'executor',
            },
          );
          before = await installed.witness.contents();
        }, 300_000);
        afterAll(() => installed?.stop());

        /** Some are removed before the node is drained, some are not. */
        const half = async (prefix: string): Promise<readonly string[]> => {
          const ports = await installed.witness.withSession((session) =>
            plantPorts(session, prefix, 20),
          );
          leaked.push(...ports);
          await gone(ports, 3);
          return ports;
        };
        const gone = (ports: readonly string[], count = ports.length): Promise<unknown> =>
          waitFor(() => Promise.resolve(installed.witness.gone(ports) >= count), {
            what: `${count} of ${ports.length} leaked ports to be removed`,
            timeoutMs: 300_000,
          });

        test('has no budget, so its node is drained at once; with a local volume the pod waits for that node', async () => {
          const ports = await half('local');
          const node = installed.nodes.nodeOf(POD)!;
          await installed.kubectl(...drain(node));
          await installed.nodes.pending([POD]);
          const left = installed.witness.gone(ports);
          expect(left).toBeLessThan(ports.length);
          await installed.kubectl('uncordon', node);
          await installed.nodes.allReady();
          expect(installed.nodes.nodeOf(POD)).toBe(node);
          await gone(ports);
        }, 600_000);

        test('with a volume that follows it goes on elsewhere', async () => {
          installed.nodes.volumes.follow();
          const ports = await half('followed');
          const node = installed.nodes.nodeOf(POD)!;
          await installed.kubectl(...drain(node));
          await installed.nodes.allReady();
          expect(installed.nodes.nodeOf(POD)).not.toBe(node);
          await gone(ports);
        }, 600_000);

        test('did each removal once, and knows all of them', async () => {
          const { argv, env } = installed.nodes.process(POD);
          const { stdout } = spawnSync(
            process.execPath,
            [argv[0]!, 'actions', '--output', 'json'],
            { env, encoding: 'utf8' },
          );
          const actions = JSON.parse(stdout) as readonly ActionRecord[];
          expect(actions.map(({ state }) => state)).toEqual(leaked.map(() => 'done'));
          expect(new Set(actions.map(({ target }) => target.uid))).toEqual(new Set(leaked));
          expect(await installed.witness.contents()).toBe(before);
          // In order, within the grace period, with findings that were open then.
          const ended = expect.objectContaining({ status: EXIT.findings, byItself: false });
          expect(installed.nodes.ended).toEqual([ended, ended]);
        });

        test('under a budget that keeps its only pod no drain would end, so the chart makes none', async () => {
          const { items } = (await installed.kubernetes.api.get(BUDGETS)) as { items: object[] };
          expect(items).toEqual([]);
          await installed.kubernetes.api.send('POST', BUDGETS, {
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            metadata: { name: 'keep' },
            spec: {
              minAvailable: 1,
              selector: { matchLabels: { 'app.kubernetes.io/name': 'ovn-steward' } },
            },
          });
          // Neither before the budget is counted nor after.
          for (let round = 0; round < 3; round += 1)
            await expect(installed.evict(POD)).rejects.toMatchObject({ status: 429 });
          await waitFor(
            async () =>
              (
                (await installed.kubernetes.api.get(`${BUDGETS}/keep`)) as {
                  status?: { currentHealthy: number };
                }
              ).status?.currentHealthy === 1,
            { what: 'the budget to be counted', timeoutMs: 30_000 },
          );
          await expect(installed.evict(POD)).rejects.toMatchObject({
            status: 429,
            message: expect.stringContaining('disruption budget'),
          });
        });
      });
    });
  });
});
