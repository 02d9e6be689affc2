import { isOpen } from '@ovn-steward/client';
import { readStream, RECORDED_STREAM } from './recorded-stream';
import { findingsIn, tableDifferences } from './table-differences';
import type { ConsumerRow } from './consumer-table';

const stream = readStream(RECORDED_STREAM);
const all = findingsIn(stream);
const open: readonly ConsumerRow[] = all.filter(isOpen);
const differences = (table: readonly ConsumerRow[]) => tableDifferences(stream, table);
const idOf = (what: string): string => stream.find((it) => it.what === what)!.key;

test('the open findings alone are right, and so are all findings', () => {
  expect(open.length).toBeGreaterThan(20);
  expect(differences(open)).toEqual([]);
  expect(differences(all)).toEqual([]);
});

test('a finding that is missing is named, with what was sent of it', () => {
  const id = idOf('revision 10, which as text is less than 9');
  expect(differences(open.filter((it) => it.id !== id))).toEqual([
    {
      id,
      problem: 'it is not in the table, and must be: revision 10, confirmed',
      sent: ['revision 9', 'revision 10, which as text is less than 9', 'revision 9 again'],
    },
  ]);
});

test.each([
  ['a tombstone that was not respected', 'its tombstone, while it was open', /must not be/],
  ['poison that was taken for a finding', 'no JSON, under a key that is no id', /must not be/],
])('%s is named', (_what, what, problem) => {
  const found = differences([...open, { id: idOf(what), revision: 1, state: 'suspected' }]);
  expect(found.map((it) => it.problem)).toEqual([expect.stringMatching(problem)]);
});

test('an older revision, another state and a row that is there twice are named', () => {
  const [first, second, third, ...others] = open;
  const found = differences([
    { ...first!, revision: first!.revision + 1 },
    { ...second!, state: 'known' },
    third!,
    third!,
    ...others,
  ]);
  expect(found.map((it) => it.problem)).toEqual([
    expect.stringMatching(/^the table has revision/),
    expect.stringMatching(/^the table has revision \d+, known/),
    'it is in the table 2 times',
  ]);
});

test('what is resolved may be there, but not as open', () => {
  const resolved = all.find((it) => it.state === 'resolved')!;
  expect(differences([...open, resolved])).toEqual([]);
  const [found] = differences([...open, { ...resolved, state: 'confirmed' }]);
  expect(found!.problem).toMatch(/resolved, or no row$/);
});
