import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseSchema } from '@ovn-steward/ovsdb';
import { recordedDatabase } from '@ovn-steward/systems/testing/recorded-northbound';
import { runEpisode } from '../episode';
import { historyOf, run } from '../run';
import { PLANTS } from './registry';

const PAGE = join(__dirname, '../../../../../../docs/faults.md');

let schema: DatabaseSchema;
beforeAll(async () => {
  ({ schema } = await recordedDatabase('leaky'));
});

test('every fault that can be planted stands on the page, and nothing else does', () => {
  const [, table = ''] = readFileSync(PAGE, 'utf8').split('| `--plant` |');
  const listed = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(PLANTS.map(({ name }) => name));
});

test.each([
  ['hasty', 'wrongAccusations', 5],
  ['no-record', 'wrongAccusations', 2],
  ['silent-of-sets', 'missedLeaks', 27],
  ['silent-of-ports', 'missedOutages', 12],
  ['silent-of-blocks', 'missedLeaks', 2],
])(
  'planted, %s is found, and its history is shrunk to a shorter one that ends in the same',
  (name, kind, seed) => {
    const { makeEngine } = PLANTS.find((it) => it.name === name)!;
    const options = { schema, seed, steps: 1500, shown: 1, first: true, makeEngine };
    const { tally, failures } = run(options);
    const [failure] = failures;
    expect(failure?.kind).toBe(kind);
    expect(tally[failure!.kind]).toBeGreaterThan(0);
    expect(failure!.steps).toBeLessThan(
      runEpisode(schema, historyOf(seed, failure!.world), makeEngine).steps,
    );
    const again = runEpisode(schema, failure!.shrunk, makeEngine).offences;
    expect(again.map((it) => `${it.kind} ${it.sort}`)).toContain(`${kind} ${failure!.sort}`);
  },
  180_000,
);
