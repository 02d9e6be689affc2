import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { objectsOf } from '../../../e2e/incidents/actor/objects';
import { EXIT } from './process/exit-codes';
import { anotherCluster } from './testing/another-cluster';
import { steward } from './testing/cli';
import { type EnforcedBed, spelled, startEnforcedBed } from './testing/enforced-bed';
import { stir } from './testing/stir';
import { untilNothingMoves } from './testing/until-nothing-moves';

describeWith(ovn, 'with the Northbound of one cluster', () => {
  describeWith(kubernetes, 'and the Kubernetes of another of the same names, all enforced', () => {
    let bed: EnforcedBed;
    beforeAll(async () => {
      bed = await startEnforcedBed('leaky', anotherCluster, { otherKubernetes: true });
    }, 200_000);
    afterAll(() => bed.stop());

    test('nothing is planned, nothing is removed, and the audit says why', async () => {
      const before = await bed.picture();
      const audit = JSON.parse(
        (await steward(['audit', ...bed.args.slice(0, 4), '--output', 'json'])).stdout,
      ) as { readonly pairing: { readonly state: string } };
      expect(audit.pairing.state).toBe('mispaired');
      const plan = await steward(['plan', '--look', ...bed.args, '--out', bed.plan]);
      expect(plan.code).not.toBe(EXIT.findings);
      const ran = await untilNothingMoves(bed, () => stir(objectsOf(bed.api), () => true));
      expect(ran.output).not.toMatch(/unexpected|\n\s+at /);
      const after = await bed.picture();
      const spell = ({ rows }: typeof after): string[] =>
        [...rows].map(([key, row]) => `${key} ${spelled(row, new Set())}`).sort();
      expect(spell(after)).toEqual(spell(before));
      expect([...after.objects.keys()].sort()).toEqual([...before.objects.keys()].sort());
    }, 200_000);
  });
});
