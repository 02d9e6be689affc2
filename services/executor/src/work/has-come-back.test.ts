import { hasComeBack } from './has-come-back';

const now = '2026-05-04T10:00:00Z';

test.each([
  ['done', 'done', true],
  ['done', 'settled', true],
  ['done', 'undo-unclear', false],
  ['claimed', 'claimed', false],
] as const)('what is %s %s was removed before a later finding: %s', (state, code, is) => {
  const removed = { state, code, finding: { id: 'f', revision: 2, confirmedAt: now } };
  expect(hasComeBack(removed, '2026-05-04T10:00:01Z')).toBe(is);
  expect(hasComeBack(removed, now)).toBe(false);
});
