import { action } from '../testing/actions';
import { oursAmong } from './ours';
import type { ClusterWork } from './work';

const CLAIM = action('a');
let reported: string[];
beforeEach(() => (reported = []));

/** What says of each record by its id why it is not ours; `reported` has what it did. */
const work = (says: {
  readonly unproven?: string;
  readonly foreign?: string;
  readonly over?: boolean;
}): Pick<ClusterWork, 'belonging' | 'unproven' | 'ledger'> =>
  ({
    unproven: {
      why: ({ id }: { id: string }) => (id === CLAIM.id ? says.unproven : undefined),
      refused: (what: string, id: string, why: string) =>
        void reported.push(`unproven ${what} ${id} ${why}`),
    },
    belonging: {
      foreign: ({ id }: { id: string }) => (id === CLAIM.id ? says.foreign : undefined),
      isOver: () => says.over === true,
      refused: (what: string, id: string, why: string) =>
        void reported.push(`foreign ${what} ${id} ${why}`),
    },
    ledger: {
      goOn: ({ id }: { id: string }, { state, code, reason }: Record<string, string>) => {
        reported.push(`${id} ${state} ${code} ${reason}`);
        return CLAIM;
      },
    },
  }) as never;
const OTHER = action('b');

test('what is of our systems, and proven, is ours', () => {
  expect(oursAmong([CLAIM, OTHER], 'claim', work({}))).toEqual([CLAIM, OTHER]);
  expect(reported).toEqual([]);
});

test.each(['claim', 'race'] as const)(
  'of a %s that nobody is proven to have made nothing is written, and it is reported',
  (what) => {
    expect(
      oursAmong([CLAIM, OTHER], what, work({ unproven: 'nobody signed it', over: true })),
    ).toEqual([OTHER]);
    expect(reported).toEqual([`unproven ${what} ${CLAIM.id} nobody signed it`]);
  },
);

test('what is of other systems stays as it is for whoever acts there, and it is reported', () => {
  expect(oursAmong([CLAIM, OTHER], 'claim', work({ foreign: 'of another' }))).toEqual([OTHER]);
  expect(reported).toEqual([`foreign claim ${CLAIM.id} of another`]);
});

test.each([
  ['claim', 'failed'],
  ['race', 'done'],
] as const)('what a person said is over ends: a %s as %s', (what, state) => {
  expect(oursAmong([CLAIM], what, work({ foreign: 'of another', over: true }))).toEqual([]);
  expect(reported).toEqual([
    `foreign ${what} ${CLAIM.id} of another`,
    expect.stringMatching(`^${CLAIM.id} ${state} other-cluster of another; a person said`),
  ]);
});
