import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, kafka, kubernetes, ovn, underCi } from '@ovn-steward/testbed/fixture';
import { CALM, runFault } from './faults/run-faults';
import { FAULTS } from './faults/registry';
import { type Bed, startBed } from './support/bed';

const NOT_FAULTS = ['fault.ts', 'registry.ts', 'run-faults.ts', 'services-killed.ts'];
const seed = Number(process.env['STEWARD_TEST_SEED'] ?? Date.now() % 100_000);

test('every fault is registered', () => {
  expect(FAULTS).toHaveLength(
    readdirSync(join(__dirname, 'faults')).filter((it) => !NOT_FAULTS.includes(it)).length + 3,
  );
});

describeWith(ovn, 'with a Northbound cluster', () => {
  describeWith(kubernetes, 'and Kubernetes', () => {
    describeWith(kafka, 'and Kafka, nothing is lost, doubled or found otherwise', () => {
      let bed: Bed;
      beforeAll(async () => {
        console.info(`STEWARD_TEST_SEED=${seed}`);
        bed = await startBed();
      }, 180_000);
      afterAll(() => bed?.stop());

      test.each([CALM, ...FAULTS].map((it) => [it.breaks, it] as const))(
        'with %s',
        async (_, fault) => {
          const missing = fault.missing?.();
          if (missing !== undefined && underCi(process.env['CI']))
            throw new Error(`${fault.breaks} cannot be tried, and CI must not skip: ${missing}`);
          if (missing !== undefined) return console.warn(`SKIPPED: ${fault.breaks}: ${missing}`);
          const { lost, duplicated, differing } = await runFault(bed, fault, seed);
          expect({ lost, duplicated, differing }).toEqual({
            lost: [],
            duplicated: [],
            differing: [],
          });
        },
        240_000,
      );
    });
  });
});
