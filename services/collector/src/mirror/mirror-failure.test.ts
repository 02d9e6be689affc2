import { Failure } from '@ovn-steward/shared/errors';
import { mirrorFailure } from './mirror-failure';

test.each([
  ['SQLITE_FULL', 'log-full', 'Free space', 'later'],
  ['SQLITE_IOERR_SHMSIZE', 'log-full', 'Free space', 'later'],
  ['SQLITE_BUSY', 'log-locked', 'Stop that first', 'later'],
  ['SQLITE_CORRUPT_INDEX', 'state-corrupt', 'Remove the file', 'never'],
  ['SQLITE_CANTOPEN', 'config-invalid', 'may be written', 'never'],
])('%s is %s, and says what to do', (code, expected, advice, retry) => {
  const failure = mirrorFailure('/var/lib/x.db', Object.assign(new Error('it failed'), { code }));
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ code: expected, retry });
  expect(failure.message).toContain(advice);
});
