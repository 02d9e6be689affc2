import { NOTHING_DECIDED } from '../control/control-state';
import { unreadDecisions } from './unread-decisions';

const TURN = { type: 'turn', items: 0, performed: 0, unsettled: [] } as const;
const UNREAD = { type: 'trouble', what: 'Reading failed: not allowed.', unread: true } as const;

test('an executor that cannot read what people decide lacks that, until it can', () => {
  const unread = unreadDecisions();
  expect(unread.missing()).toEqual([]);
  unread.onEvent(UNREAD);
  unread.onEvent({ type: 'waits', why: 'somebody may have said stop' });
  expect(unread.missing()).toEqual([
    {
      what: 'decisions',
      detail: 'Reading failed: not allowed. Nothing is removed until they can be.',
    },
  ]);
  unread.onEvent(TURN);
  expect(unread.missing()).toEqual([]);
});

test('what was decided was read then, and who follows it no more lacks nothing', () => {
  const unread = unreadDecisions();
  for (const state of [NOTHING_DECIDED, undefined]) {
    unread.onEvent(UNREAD);
    unread.onEvent({ type: 'decided', state });
    expect(unread.missing()).toEqual([]);
  }
});

test('that an acknowledgement cannot be published keeps nothing from being read', () => {
  const unread = unreadDecisions();
  unread.onEvent({ type: 'trouble', what: 'Holds are applied' });
  expect(unread.missing()).toEqual([]);
});
