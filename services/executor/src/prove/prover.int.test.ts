import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { liveKubernetes } from '@ovn-steward/systems/kubernetes/live-kubernetes';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import type { Systems } from '@ovn-steward/systems/systems';
import { counted } from '@ovn-steward/systems/testing/counted-systems';
import { recordedEngine, recordedObjects, withoutLeakedRecords } from '../testing/recorded-engine';
import { describeProver, proveAll, proverOf, remediable } from './prover.contract';

const never = new AbortController().signal;

interface Bed {
  readonly nb: OvnServer;
  readonly api: KubernetesServer;
  readonly systems: Systems;
  stop(): Promise<void>;
}

async function start(name: Parameters<typeof recording>[0]): Promise<Bed> {
  const [nb, api] = await Promise.all([
    startOvnStandalone({ database: recording(name, 'nb.db') }),
    startKubernetes({ recording: recording(name, 'kubernetes.json') }),
  ]);
  const systems = {
    northbound: liveNorthbound({ remotes: nb.remote }),
    kubernetes: liveKubernetes({ access: kubeAccess({ kubeconfig: api.kubeconfig }) }),
  };
  return {
    nb,
    api,
    systems,
    async stop() {
      await Promise.all([systems.northbound.close(), systems.kubernetes.close()]);
      await Promise.all([nb.stop(), api.stop()]);
    },
  };
}

describeWith(ovn, 'with a real Northbound', () =>
  describeWith(kubernetes, 'and a real Kubernetes', () => {
    describeProver('a proof', start);

    describe('what changes meanwhile', () => {
      let bed: Bed;
      let ports: Finding[];
      beforeAll(async () => {
        bed = await start('leaky');
        const isThere = await withoutLeakedRecords('leaky');
        ports = remediable(await recordedEngine('leaky', isThere)).filter(
          (it) => it.rule === 'orphaned-logical-switch-port',
        );
        const { get, send } = bed.api.api;
        for (const { metadata } of recordedObjects('leaky').filter((it) => !isThere(it))) {
          const path = `/apis/kubeovn.io/v1/ips/${metadata.name}`;
          const record = (await get(path)) as { readonly metadata: object };
          await send('PUT', path, { ...record, metadata: { ...record.metadata, finalizers: [] } });
          await send('DELETE', path);
        }
      });
      afterAll(() => bed.stop());

      test('costs a handful of round trips', async () => {
        const { systems, calls } = counted(bed.systems);
        const prover = proverOf(systems);
        expect(await prover.prove(ports[0]!, never)).toMatchObject({ is: 'proven' });
        // The schema, the port, all that ownership asks of it, and the ports that pair both
        // systems.
        const requested = (): number =>
          calls.names.filter((it) => it === 'schema' || it === 'read').length;
        expect(requested()).toBe(4);
        expect(calls.kubernetes).toBeLessThanOrEqual(30);
        const { kubernetes: first } = { ...calls };
        await prover.prove(ports[0]!, never);
        expect(requested()).toBe(6);
        expect(calls.kubernetes - first).toBeLessThanOrEqual(10);
      });

      test('a row that says something else is noticed', async () => {
        const [port] = ports;
        await bed.nb.nbctl(
          'set',
          'Logical_Switch_Port',
          port!.subject.uid,
          'options:requested-chassis=somewhere',
        );
        expect(await proverOf(bed.systems).prove(port!, never)).toEqual({
          is: 'changed',
          reason: `Logical_Switch_Port ${port!.subject.name} says something else than when it was found`,
        });
      });

      test('a row that somebody keeps, or owns, is kept', async () => {
        const [, marked, foreign] = ports;
        await bed.nb.nbctl(
          'set',
          'Logical_Switch_Port',
          marked!.subject.uid,
          'external_ids:ovn-steward.dev/protect=audit',
        );
        await bed.nb.nbctl(
          'set',
          'Logical_Switch_Port',
          foreign!.subject.uid,
          'external_ids:neutron\\:port_name=x',
        );
        expect(
          (await proveAll(proverOf(bed.systems), [marked!, foreign!])).map((it) => it.is),
        ).toEqual(['untrue', 'untrue']);
      });

      test('a row that is gone is gone', async () => {
        const port = ports[3]!;
        await bed.nb.nbctl('lsp-del', port.subject.name);
        expect(await proverOf(bed.systems).prove(port, never)).toEqual({ is: 'gone' });
      });

      test('an owner that appears after the proof is seen by the last check, and then nothing is proven', async () => {
        const port = ports.find(
          (it, index) =>
            index > 3 && it.proof.some((fact) => fact.fact === 'absent' && fact.kind === 'Pod'),
        )!;
        const prover = proverOf(bed.systems);
        const proven = await prover.prove(port, never);
        if (proven.is !== 'proven') throw new Error(JSON.stringify(proven));
        expect(await prover.recheck(proven, never)).toBeUndefined();
        const { key } = proven.foundations.absences.find((it) => it.kind === 'Pod')!;
        const [namespace, name] = key.split('/') as [string, string];
        await bed.api.apply([
          {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { namespace, name },
            spec: { containers: [{ name: 'a', image: 'a' }] },
          } as never,
        ]);
        expect(await prover.recheck(proven, never)).toEqual({
          is: 'changed',
          reason: `Pod ${key} is there now`,
        });
        expect(await prover.prove(port, never)).toMatchObject({ is: 'untrue' });
      });

      test('systems that are away prove nothing', async () => {
        const left = ports.slice(-2);
        await bed.api.kill();
        expect((await proveAll(proverOf(bed.systems), left)).map((it) => it.is)).toEqual([
          'unknown',
          'unknown',
        ]);
        await bed.api.restart();
        await bed.nb.kill();
        expect(
          (
            await proveAll(
              proverOf({
                ...bed.systems,
                northbound: liveNorthbound({ remotes: bed.nb.remote, timeoutMs: 1000 }),
              }),
              left,
            )
          ).map((it) => it.is),
        ).toEqual(['unknown', 'unknown']);
      });
    });
  }),
);
