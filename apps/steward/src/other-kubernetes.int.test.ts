import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { objectsOf } from '../../../e2e/incidents/actor/objects';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';
import { type EnforcedBed, spelled, startEnforcedBed } from './testing/enforced-bed';
import type { Mutation, Raw } from './testing/mutate';
import { stir } from './testing/stir';
import { untilNothingMoves } from './testing/until-nothing-moves';

const MAC = 'ovn.kubernetes.io/mac_address';

/** Another MAC address for each: Kube-OVN makes them at random, so two clusters share none. */
const otherMac = (mac: string): string =>
  mac.replace(/^../, (byte) => (byte === 'aa' ? 'a6' : 'aa'));

/** Nodes, namespaces and networks of the same names; other addresses, and of what stands on them only some. */
function anotherCluster({ all, remove }: Mutation): void {
  for (const kind of ['Node', 'Pod'])
    for (const { metadata } of all(kind))
      if (metadata.annotations?.[MAC] !== undefined)
        metadata.annotations[MAC] = otherMac(metadata.annotations[MAC] as string);
  for (const ip of all('IP')) ip.spec.macAddress = otherMac(ip.spec.macAddress as string);
  for (const kind of [
    'Pod',
    'Service',
    'Vip',
    'VirtualMachine',
    'VirtualMachineInstance',
    'NetworkPolicy',
  ])
    for (const { metadata } of [...all(kind)].filter((_: Raw, index) => index % 2 === 0))
      remove(
        kind,
        metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`,
      );
}

describeWith(ovn, 'with the Northbound of one cluster', () => {
  describeWith(kubernetes, 'and the Kubernetes of another of the same names, all enforced', () => {
    let bed: EnforcedBed;
    beforeAll(async () => {
      bed = await startEnforcedBed('leaky', anotherCluster, { otherKubernetes: true });
    }, 200_000);
    afterAll(() => bed.stop(), 60_000);

    test('nothing is planned, nothing is removed, and the audit says why', async () => {
      const before = await bed.picture();
      const audit = JSON.parse(
        (await steward(['audit', ...bed.args.slice(0, 4), '--output', 'json'])).stdout,
      ) as { readonly pairing: { readonly state: string } };
      expect(audit.pairing.state).toBe('mispaired');
      const plan = await steward(['plan', '--look', ...bed.args, '--out', bed.plan]);
      expect(plan.code).not.toBe(EXIT.findings);
      const ran = await untilNothingMoves(bed, () => stir(objectsOf(bed.api), () => true));
      expect(ran.said).not.toMatch(/unexpected|\n\s+at /);
      const after = await bed.picture();
      const spell = ({ rows }: typeof after): string[] =>
        [...rows].map(([key, row]) => `${key} ${spelled(row, new Set())}`).sort();
      expect(spell(after)).toEqual(spell(before));
      expect([...after.objects.keys()].sort()).toEqual([...before.objects.keys()].sort());
    }, 200_000);
  });
});
