import type { ListedLetter } from '@ovn-steward/contracts/dead-letters/list-dead-letters';
import { deadLettersText } from './dead-letters-text';

const letter = (more: Partial<ListedLetter>): ListedLetter =>
  ({
    id: 'steward.findings.v1/0/0',
    topic: 'steward.findings.v1',
    partition: 0,
    offset: 0n,
    key: 'k',
    at: '2026-05-04T10:00:00Z',
    by: 'executor',
    why: 'not JSON',
    bytes: 3,
    beginning: 'abc',
    truncated: false,
    replayedAt: null,
    ...more,
  }) as unknown as ListedLetter;
const end = (...letters: readonly ListedLetter[]): string =>
  deadLettersText({ letters, unreadable: [] } as unknown as Parameters<typeof deadLettersText>[0])
    .trimEnd()
    .split('\n')
    .at(-1)!;
const REFUSED = { refusal: 'no reader uses that key' };
const REPLAYED = { replayedAt: '2026-05-04T11:00:00Z' };

test('a replay is advised only where one is possible', () => {
  expect(end(letter({}), letter(REFUSED))).toMatch(/^2 dead letters\. Next: fix .* replay <id>;/);
  expect(end(letter(REFUSED))).toBe(
    '1 dead letter. None that is left can be replayed: each says why; see docs/dead-letters.md',
  );
  expect(end(letter(REFUSED), letter(REPLAYED))).toMatch(
    /^2 dead letters, 1 of them replayed\. None/,
  );
  expect(end(letter(REPLAYED))).toBe('1 dead letter, 1 of them replayed.');
});
