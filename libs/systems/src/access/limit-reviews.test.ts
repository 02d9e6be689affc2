import { Failure } from '@ovn-steward/shared/errors';
import { limitReviews } from './limit-reviews';

const SIGNAL = new AbortController().signal;
/** So long that no test sees its end. */
const SECONDS = 3600;

function limited(rates: { known: number; unknown: number }) {
  const reviewed: string[] = [];
  const clock = { now: 0 };
  const prove = limitReviews(
    async (token) => {
      reviewed.push(token);
      if (token.startsWith('forged')) throw new Failure('access-unauthenticated', 'nobody');
      if (token === 'down') throw new Failure('source-unreachable', 'silent');
      return { user: token, groups: [], method: 'kubernetes' };
    },
    {
      known: { tokens: rates.known, seconds: SECONDS },
      unknown: { tokens: rates.unknown, seconds: SECONDS },
    },
    () => clock.now,
  );
  /** Who it is, or the code of the refusal. */
  const asked = (token: string): Promise<string> =>
    prove(token, SIGNAL).then(
      (it) => it.user,
      (error: Failure) => error.code,
    );
  return { asked, reviewed, clock };
}

test('forged tokens are reviewed up to the limit, and then not sent to the API server', async () => {
  const { asked, reviewed } = limited({ known: 5, unknown: 3 });
  const answers = [];
  for (const it of ['forged-1', 'forged-2', 'forged-3', 'forged-4', 'anna'])
    answers.push(await asked(it));
  expect(answers).toEqual([
    ...Array.from({ length: 3 }, () => 'access-unauthenticated'),
    ...Array.from({ length: 2 }, () => 'source-refused'),
  ]);
  expect(reviewed).toEqual(['forged-1', 'forged-2', 'forged-3']);
});

test('who was proven lately is not shut out by them, and is reviewed each time', async () => {
  const { asked, reviewed } = limited({ known: 2, unknown: 3 });
  expect(await asked('anna')).toBe('anna');
  for (const it of ['forged-1', 'forged-2', 'forged-3']) await asked(it);
  expect([await asked('anna'), await asked('anna')]).toEqual(['anna', 'anna']);
  expect(await asked('anna')).toBe('source-refused');
  expect(reviewed.filter((it) => it === 'anna')).toHaveLength(3);
});

test('a token is known for ten minutes, and no longer once it is refused', async () => {
  const { asked, clock } = limited({ known: 100, unknown: 2 });
  expect([await asked('anna'), await asked('forged-1')]).toEqual([
    'anna',
    'access-unauthenticated',
  ]);
  clock.now = 599_999;
  expect(await asked('anna')).toBe('anna');
  clock.now += 600_000;
  expect(await asked('anna')).toBe('source-refused');
});

test('an API server that does not answer makes nobody known, nor forgets anybody', async () => {
  const { asked, reviewed } = limited({ known: 100, unknown: 2 });
  expect([await asked('down'), await asked('down')]).toEqual([
    'source-unreachable',
    'source-unreachable',
  ]);
  expect(await asked('down')).toBe('source-refused');
  expect(reviewed).toEqual(['down', 'down']);
});
