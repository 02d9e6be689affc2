import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Control, controlKey } from '@ovn-steward/contracts/control/control';
import { decision } from '../testing/controls';
import { recordOf } from '../testing/findings';
import { somePlan } from '../testing/plans';
import { NOTHING_DECIDED } from './control-state';
import { readControlAndPlan } from './read-control-and-plan';
import { foldControls } from './fold-controls';

const reading = (
  value: unknown,
  key = controlKey(value as Control),
): ReturnType<typeof readControlAndPlan> =>
  readControlAndPlan(recordOf({ key, value: JSON.stringify(value), timestamp: 0 }));

const ALL: Control[] = [
  decision({ type: 'hold', scope: { rule: 'leaked-ip' }, reason: 'maintenance', until: null }),
  decision({ type: 'resume', scope: {} }),
  decision({ type: 'approve', finding: 'f', revision: 3 }),
  decision({ type: 'plan', plan: somePlan(), overCeilings: false }),
  decision({ type: 'undo', of: 'x' }),
  decision({ type: 'withdraw', of: 'undo/x' }),
];

test.each(ALL)('a $type is read as it was published', (control) => {
  expect(reading(control)).toEqual({ control });
});

test('a tombstone forgets', () => {
  expect(readControlAndPlan(recordOf({ key: 'k', value: null, timestamp: 0 }))).toEqual({
    forgotten: true,
  });
});

test('a type added later is neither carried out nor refused', () => {
  expect(reading({ ...ALL[1], type: 'limit' }, 'berlin-1/limit/x')).toEqual({ newer: 'limit' });
  expect(reading({ ...ALL[1], type: 'limit', version: 2 }, 'berlin-1/limit/x')).toHaveProperty(
    'poison',
  );
});

test.each<[string, unknown, string?]>([
  ['half a record', '{"type":'],
  [
    'a hold without a reason',
    { ...ALL[0], reason: undefined },
    'berlin-1/hold/["leaked-ip","*","*"]',
  ],
  ['an approval of no revision', { ...ALL[2], revision: 0 }],
  ['a decision under another key', ALL[1], 'berlin-1/hold/["leaked-ip","*","*"]'],
  [
    'a withdrawal of a hold, which would end it',
    decision({ type: 'withdraw', of: 'hold/["*","*","*"]' }),
  ],
  [
    'a cluster whose name reaches into another’s keys',
    decision({ type: 'undo', of: 'x', cluster: 'berlin-1/undo' }),
  ],
  [
    'a plan with an entry taken out',
    decision({ type: 'plan', plan: { ...somePlan(), entries: [] }, overCeilings: false }),
  ],
  [
    'a plan of another cluster',
    decision({ type: 'plan', plan: somePlan(), overCeilings: false, cluster: 'paris-1' }),
  ],
])('%s is poison', (_, value, ...[key]) => {
  const read =
    typeof value === 'string'
      ? readControlAndPlan(recordOf({ key: 'k', value, timestamp: 0 }))
      : reading(value, key);
  expect(read).toEqual({ poison: expect.stringMatching(/./) });
});

test('whatever it is given, it never throws', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.jsonValue().map((it) => JSON.stringify({ ...ALL[0], scope: it })),
      ),
      (key, value) => {
        expect(
          Object.keys(readControlAndPlan(recordOf({ key, value, timestamp: 0 }))),
        ).toHaveLength(1);
      },
    ),
  );
});

const LATER = join(__dirname, '../../../../contracts/later-versions');
const later = (name: string): Control =>
  JSON.parse(readFileSync(join(LATER, `control.v1.${name}.json`), 'utf8')) as Control;

test('what another executor respects is heard, though a decision among it is of a later version', () => {
  const control = later('heard');
  expect(reading(control)).toEqual({ control });
  const { heard } = foldControls(NOTHING_DECIDED, control.cluster, [
    { key: controlKey(control), read: reading(control) },
  ]);
  expect([...heard.values()].map(({ ids }) => [...ids])).toEqual([
    ['f1b3f0a2-7f0e-4e7c-9a2f-3a5b1f6d2c10', 'later-1'],
  ]);
});

test('a hold of a later version holds all that is known of its scope, and lets nothing unknown through', () => {
  const control = later('hold');
  const { holds } = foldControls(NOTHING_DECIDED, control.cluster, [
    { key: controlKey(control), read: reading(control) },
  ]);
  expect([...holds.values()]).toMatchObject([
    { scope: { rule: 'leaked-ip', subnet: 'ovn-default' }, except: ['undo', 'quarantine'] },
  ]);
});

test('a later type under the key of a hold holds', () => {
  const key = 'berlin-1/hold/["leaked-ip","*","*"]';
  const read = reading(later('freeze'), key);
  expect(read).toEqual({ newer: 'freeze' });
  const { holds } = foldControls(NOTHING_DECIDED, 'berlin-1', [{ key, read }]);
  expect([...holds.values()]).toMatchObject([{ scope: { rule: 'leaked-ip' }, until: null }]);
});
