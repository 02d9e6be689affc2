import { ACTION_CODES } from './action-codes';
import { ActionState } from './action';

test('every state has a code, and no code is there twice', () => {
  const codes = ACTION_CODES.map((it) => it.code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set<string>(ACTION_CODES.flatMap((it) => it.states))).toEqual(
    new Set(ActionState.options),
  );
});
