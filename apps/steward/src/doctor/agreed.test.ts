import { PassThrough } from 'node:stream';
import type { Plan } from '@ovn-steward/executor';
import { agreed, type AgreedOptions } from './agreed';
import type { Diagnosis } from './diagnosis';

const PLAN = {
  id: 'c0ffee'.repeat(10),
  cluster: 'berlin-1',
  createdAt: '',
  leftOut: [],
  entries: [
    {
      action: 'delete-ip',
      target: { kind: 'IP', name: 'left-0.lost' },
      what: 'nobody has it',
      ripeAt: '',
    },
  ],
} as unknown as Plan;
const NOTHING: Diagnosis = {
  trees: [],
  repairs: [],
  steps: [],
  controller: 'there',
  well: [],
  missing: [],
  unknown: ['the tree is here'],
};

/** What was shown, and what came of it. */
async function round(
  options: Partial<AgreedOptions>,
  { isTTY = true, keys = '', number = 1 } = {},
) {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => undefined });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const shown = new PassThrough();
  input.write(keys);
  const is = await agreed(
    number,
    PLAN,
    NOTHING,
    { output: 'text', ...options },
    { input, output },
    shown,
  );
  return {
    is,
    shown: String(shown.read() ?? ''),
    asked: String(output.read() ?? '').includes(`Carry out round ${number}?`),
  };
}

const ENTRY = 'delete-ip IP left-0.lost: nobody has it';

test.each([
  ['y\r', true],
  ['n\r', false],
  ['', false],
])(
  'who sits at a terminal sees the tree and the round, and is asked: %j is %s',
  async (keys, is) => {
    const answered = await round({}, { keys: keys || '\u0004' });
    expect([answered.is, answered.asked]).toEqual([is, true]);
    expect(answered.shown).toMatch(new RegExp(`The tree is here[^]*Round 1\\. Plan [^]*${ENTRY}`));
  },
);

test('the tree is drawn once, each round is shown and asked for', async () => {
  const { shown, asked: requested } = await round({}, { keys: 'y\r', number: 2 });
  expect([shown.includes('The tree is here'), shown.includes(ENTRY), requested]).toEqual([
    false,
    true,
    true,
  ]);
});

test('for a program it is shown where it does not read', async () =>
  expect(await round({ output: 'json' }, { keys: 'y\r' })).toMatchObject({
    is: true,
    asked: true,
    shown: expect.stringContaining(ENTRY),
  }));

test.each<[string, Partial<AgreedOptions>, boolean]>([
  ['--yes', { yes: true }, true],
  ['no terminal', {}, false],
])('with %s it is done without asking', async (_, options, isTTY) =>
  expect(await round(options, { isTTY })).toEqual({
    is: true,
    asked: false,
    shown: 'Round 1: 1 to do, plan c0ffeec0ffee\n',
  }),
);

test.each([true, false])(
  'a dry run shows it, asks nobody and does nothing (terminal: %s)',
  async (isTTY) => {
    expect(await round({ dryRun: true, yes: true }, { isTTY })).toEqual({
      is: false,
      asked: false,
      shown: expect.stringContaining(ENTRY),
    });
    expect(await round({ dryRun: true, output: 'json' }, { isTTY })).toEqual({
      is: false,
      asked: false,
      shown: '',
    });
  },
);
