import type { Logger } from '@ovn-steward/service/log/logger';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { runInTurn } from './in-turn';

const quiet = (): void => undefined;
const logger: Logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  conceal: quiet,
  shown: (it) => it,
};
const shell = (lease: object) => ({
  settings: Settings.parse({ lease }),
  logger,
  endAtOnce: (error: Error): never => {
    throw error;
  },
});
const never = new AbortController().signal;

test('without a Lease the work begins at once, in term 0, and what it throws is thrown', async () => {
  const terms: number[] = [];
  await runInTurn(
    shell({ enabled: 'never' }),
    { onStandby: quiet },
    never,
    async (term, signal) => {
      expect(signal).toBe(never);
      terms.push(term);
    },
  );
  expect(terms).toEqual([0]);
  await expect(
    runInTurn(shell({ enabled: 'never' }), { onStandby: quiet }, never, () =>
      Promise.reject(new Error('disk full')),
    ),
  ).rejects.toThrow('disk full');
});

test('a Lease that is wanted and nowhere to be is refused before anything is done', async () => {
  await expect(
    runInTurn(shell({ enabled: 'always' }), { onStandby: quiet }, never, () =>
      Promise.reject(new Error('begun')),
    ),
  ).rejects.toMatchObject({ code: 'config-invalid' });
});
