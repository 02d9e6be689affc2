import { KAFKA_RIGHTS, rightUnder } from './kafka-rights';
import { TOPICS } from './topics';

const byName = (name: string) =>
  KAFKA_RIGHTS.find((it) => it.principal === 'executor' && it.name === name)!;

test('a right names a topic there is, our prefix, or a group', () => {
  const names = [...TOPICS.map((it) => it.name), 'steward.'];
  expect(
    KAFKA_RIGHTS.filter((it) => it.resource === 'topic').filter(
      (it) => !names.includes(it.name) || it.prefix !== (it.name === 'steward.'),
    ),
  ).toEqual([]);
});

test('no principal has two rights on the same thing', () => {
  const keys = KAFKA_RIGHTS.map((it) => `${it.principal} ${it.resource} ${it.name}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test('another prefix takes the place of ours, and stands before groups', () => {
  expect(rightUnder('east.steward.', byName('steward.actions.v1')).name).toBe(
    'east.steward.actions.v1',
  );
  expect(rightUnder('east.steward.', byName('steward.')).name).toBe('east.steward.');
  expect(rightUnder('east.steward.', byName('steward-executor')).name).toBe(
    'east.steward.steward-executor',
  );
  for (const it of KAFKA_RIGHTS) expect(rightUnder('steward.', it)).toEqual(it);
});
