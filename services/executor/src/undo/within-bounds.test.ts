import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { undoOf } from '../testing/actions';
import { outOfBounds } from './within-bounds';

const target = {
  source: 'ovn-nb',
  kind: 'Logical_Switch_Port',
  name: 'p',
  uid: 'uid-p',
} as const;
const of = (undo: Undo | null, action = 'delete-logical-switch-port'): string | undefined =>
  outOfBounds({ action, target, undo });
const UNDO = undoOf('p') as Extract<Undo, { of: 'rows' }>;

test('what an action removed is put back', () => {
  expect(of(UNDO)).toBeUndefined();
});

test.each<[string, string | undefined, RegExp]>([
  ['nothing was recorded', of(null), /^nothing of it was recorded$/],
  ['this version has no such action', of(UNDO, 'tidy-up'), /^this version has no action tidy-up$/],
  ['another thing would come', of(undoOf('q')), /^the record is not what delete-logical-switch-po/],
  [
    'a later version recorded it in its own way',
    of({ of: 'snapshot', at: 'x' } as never),
    /^only a later version knows how it is put back$/,
  ],
  [
    'a later version refers to it in its own way',
    of({ ...UNDO, links: [{ ...UNDO.links[0]!, strength: 'lent' as never }] }),
    /^only a later version knows how it is put back$/,
  ],
])('nothing is put back where %s', (_, why, expected) => {
  expect(why).toMatch(expected);
});
