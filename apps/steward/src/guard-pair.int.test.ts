import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { anotherCluster } from './testing/another-cluster';
import { startSteward, steward } from './testing/cli';
import { type EnforcedBed, startEnforcedBed } from './testing/enforced-bed';

const GUARD = 'ovn-steward.dev/vpc-guard';
const REFUSED =
  /^steward: Nothing is written to this Kubernetes, since it is not shown to be that of the Northbound: the MAC addresses .*\n$/;

const heldVpcs = async ({ api }: EnforcedBed): Promise<string[]> =>
  ((await api.get('/apis/kubeovn.io/v1/vpcs')) as { items: KubernetesObject[] }).items
    .filter((it) => (it.metadata['finalizers'] as string[] | undefined)?.includes(GUARD))
    .map((it) => it.metadata.name);
const policies = async ({ api }: EnforcedBed): Promise<string[]> =>
  (
    (await api.get('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies')) as {
      items: KubernetesObject[];
    }
  ).items
    .map((it) => it.metadata.name)
    .filter((it) => it.startsWith('ovn-steward-'));
const unheld = ({ api }: EnforcedBed): Promise<unknown> =>
  api.send('POST', '/apis/kubeovn.io/v1/vpcs', {
    apiVersion: 'kubeovn.io/v1',
    kind: 'Vpc',
    metadata: { name: 'unheld' },
    spec: {},
  });
const systemsOf = ({ args }: EnforcedBed): readonly string[] => args.slice(0, 4);

describeWith(ovn, 'guards by hand beside a living Northbound', () => {
  describeWith(kubernetes, 'and a living Kubernetes', () => {
    let bed: EnforcedBed;
    afterEach(() => bed.stop());

    test('of another cluster of the same names: each command refuses in one sentence, and nothing is written', async () => {
      bed = await startEnforcedBed('shared-neutron', anotherCluster, { otherKubernetes: true });
      await unheld(bed);
      for (const args of [
        ['run'],
        ['run', '--output', 'ndjson'],
        ['gates', '--install', '--yes'],
        ['install', '--yes'],
        ['remove', '--yes'],
      ]) {
        const { code, stderr } = await steward(['guard', ...args, ...systemsOf(bed)]);
        expect({ args, code, stderr }).toEqual({
          args,
          code: 1,
          stderr: expect.stringMatching(REFUSED),
        });
      }
      const { stdout } = await steward(['guard', 'run', '--output', 'ndjson', ...systemsOf(bed)]);
      expect(JSON.parse(stdout)).toMatchObject({ type: 'other-cluster', what: 'guard' });
      expect([await heldVpcs(bed), await policies(bed)]).toEqual([[], []]);
    }, 300_000);

    test('of the same cluster: Vpcs are held', async () => {
      bed = await startEnforcedBed('shared-neutron');
      await unheld(bed);
      const child = startSteward(['guard', 'run', ...systemsOf(bed)]);
      let said = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      try {
        await waitFor(async () => (await heldVpcs(bed)).includes('unheld'), {
          what: 'our finalizer',
          timeoutMs: 60_000,
        });
      } finally {
        child.kill('SIGTERM');
      }
      expect(await ended).toBe(0);
      expect(said).toBe('Guarding Vpcs; Ctrl-C ends it, and those that are held stay held.\n');
    }, 300_000);
  });
});
