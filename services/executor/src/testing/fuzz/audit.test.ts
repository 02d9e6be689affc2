import type { ActionRecord, ActionState } from '@ovn-steward/contracts/actions/action';
import { lostOutcomes } from './audit';

const action = (state: ActionState): ActionRecord =>
  ({
    id: 'a',
    rule: 'r',
    action: 'x',
    state,
    code: 'c',
    reason: 'why',
    revision: 1,
  }) as ActionRecord;

test.each<
  [
    string,
    ActionState,
    ActionState,
    { removals: number; undos: number } | undefined,
    RegExp | undefined,
  ]
>([
  ['done, as reported', 'done', 'done', { removals: 1, undos: 0 }, undefined],
  ['put back, as reported', 'undone', 'undone', { removals: 1, undos: 1 }, undefined],
  ['refused, as reported', 'refused', 'refused', undefined, undefined],
  ['found gone after a crash', 'done', 'done', undefined, undefined],
  ['a claim left open', 'claimed', 'claimed', undefined, /never ended/],
  ['a claim left open on the topic alone', 'claimed', 'done', undefined, /never ended/],
  ['an end that was never published', 'deferred', 'done', undefined, /two ways/],
  [
    'a removal reported as a refusal',
    'refused',
    'refused',
    { removals: 1, undos: 0 },
    /removed, and reported/,
  ],
  [
    'an undo that nobody recorded',
    'done',
    'done',
    { removals: 1, undos: 1 },
    /put back, and reported/,
  ],
  ['an undo of nothing', 'undone', 'undone', undefined, /never removed/],
])('%s', (_, topic, ledger, committed, says) => {
  const lost = lostOutcomes(
    new Map([['a', action(topic)]]),
    () => action(ledger),
    new Map(committed ? [['a', { overtaken: false, ...committed }]] : []),
  );
  if (says === undefined) expect(lost).toEqual([]);
  else expect(lost.join()).toMatch(says);
});

test('an entry that somebody put there again may be reported either way', () => {
  expect(
    lostOutcomes(
      new Map([['a', action('refused')]]),
      () => action('refused'),
      new Map([['a', { removals: 1, undos: 0, overtaken: true }]]),
    ),
  ).toEqual([]);
});

test.each(['undo-unclear', 'raced-unclear'])(
  'a put-back of which nobody can know, reported as %s',
  (code) => {
    const unclear = { ...action('done'), code };
    expect(
      lostOutcomes(
        new Map([['a', unclear]]),
        () => unclear,
        new Map([['a', { removals: 1, undos: 1, overtaken: false }]]),
      ),
    ).toEqual([]);
  },
);

test.each([0, 1, 2])('what was given up, whatever was done of it: %s put back', (undos) => {
  const givenUp = { ...action('failed'), code: 'given-up' };
  expect(
    lostOutcomes(
      new Map([['a', givenUp]]),
      () => givenUp,
      new Map([['a', { removals: 1, undos, overtaken: false }]]),
    ),
  ).toEqual([]);
});

test('an effect the topic knows nothing of', () => {
  expect(
    lostOutcomes(
      new Map(),
      () => undefined,
      new Map([['a', { removals: 1, undos: 0, overtaken: false }]]),
    ).join(),
  ).toMatch(/knows nothing/);
});

test.each([
  [0, []],
  [1, [expect.stringMatching(/^removed, and reported as never removed/)]],
])('of what is reported as never removed, %s removals were seen', (removals, lost) => {
  const record = { ...action('undone'), reason: 'it is there: it was never removed' };
  expect(
    lostOutcomes(
      new Map([['a', record]]),
      () => record,
      new Map([['a', { removals, undos: removals, overtaken: false }]]),
    ),
  ).toEqual(lost);
});
