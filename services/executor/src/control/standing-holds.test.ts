import { decision, controlEntry } from '../testing/controls';
import { CLUSTER, NOW, recordOf } from '../testing/findings';
import { NOTHING_DECIDED } from './control-state';
import { readControlAndPlan } from './read-control-and-plan';
import { breadthOf, standingHolds } from './standing-holds';
import { foldControls } from './fold-controls';

const after = (...controls: Parameters<typeof decision>[0][]) =>
  foldControls(
    NOTHING_DECIDED,
    CLUSTER,
    controls
      .map((it) => recordOf(controlEntry(decision(it))))
      .map((it) => ({ key: it.key, read: readControlAndPlan(it) })),
  );
const heard = (by: string, id: string): Parameters<typeof decision>[0] => ({
  type: 'heard',
  by,
  since: NOW.toISOString(),
  decisions: [{ about: 'hold/x', id, type: 'hold' }],
});

test('a hold is shown with all it says, and by whom it is respected as it stands', () => {
  const since = NOW.toISOString();
  const until = '2099-01-01T00:00:00Z';
  const hold = { type: 'hold', reason: 'x', until: null } as const;
  const state = after(
    { ...hold, scope: {}, id: 'first' },
    { ...hold, scope: {}, id: 'second', except: ['undo'] },
    { ...hold, scope: { subnet: 'shop' }, id: 'third', at: '2020-01-01T00:00:00Z', until },
    { ...hold, scope: { rule: 'r' }, id: 'over', until: '2020-01-02T00:00:00Z' },
    heard('b', 'second'),
    heard('a', 'second'),
    heard('old', 'first'),
  );
  expect(standingHolds(state, NOW)).toEqual([
    {
      scope: { subnet: 'shop' },
      except: [],
      reason: 'x',
      by: 'anna',
      since: '2020-01-01T00:00:00Z',
      until,
      heardBy: [],
    },
    {
      scope: {},
      except: ['undo'],
      reason: 'x',
      by: 'anna',
      since,
      until: null,
      heardBy: ['a', 'b'],
    },
  ]);
});

test('one that cannot be read is shown, and nobody can have said that he respects it', () => {
  const key = `${CLUSTER}/hold/["*","*","shop"]`;
  const state = foldControls(after(heard('a', 'h')), CLUSTER, [{ key, read: { poison: 'x' } }]);
  expect(standingHolds(state, NOW)).toMatchObject([
    { scope: { subnet: 'shop' }, until: null, heardBy: [] },
  ]);
});

test.each([
  [{}, 'cluster'],
  [{ rule: 'r' }, 'rule'],
  [{ vpc: 'v' }, 'vpc'],
  [{ subnet: 's' }, 'subnet'],
  [{ rule: 'r', subnet: 's' }, 'several'],
])('what %j names is counted as %s', (scope, breadth) => {
  expect(breadthOf({ scope })).toBe(breadth);
});
