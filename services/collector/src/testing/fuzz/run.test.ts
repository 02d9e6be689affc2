import { type DatabaseSchema } from '@ovn-steward/ovsdb';
import { recordedDatabase } from '@ovn-steward/systems/testing/recorded-northbound';
import { runEpisode, productEngine } from './episode';
import { historyOf, run } from './run';
import { OFFENCES } from './truth/referee';

let schema: DatabaseSchema;
beforeAll(async () => {
  ({ schema } = await recordedDatabase('leaky'));
});

test('worlds of a fixed seed have no offence, find something, and are the same again', () => {
  const options = { schema, seed: 7, steps: 450, shown: 1, makeEngine: productEngine };
  const { tally, failures, reached } = run(options);
  expect(failures).toEqual([]);
  expect(OFFENCES.filter((it) => tally[it] > 0)).toEqual([]);
  expect(tally).toMatchObject({ steps: 450, worlds: 3 });
  expect(tally.confirmed).toBeGreaterThan(0);
  expect([...reached]).toContain('leaked-ip');
  expect([...reached]).not.toContain('stuck-vpc-egress-gateway-deletion'); // nothing of the kind is drawn
  expect(run(options).tally).toEqual(tally);
});

test('a step may be left out without another draw for the rest', () => {
  const { seed, steps } = historyOf(7, 0);
  const [whole, shorter] = [steps.slice(0, 30), steps.slice(0, 29)].map(
    (it) => runEpisode(schema, { seed, steps: it }, productEngine).diary,
  );
  const quiet = shorter!.indexOf('all goes quiet');
  expect(quiet).toBeGreaterThan(10);
  expect(whole!.slice(0, quiet)).toEqual(shorter!.slice(0, quiet));
});
