import type { Log } from '@ovn-steward/shared/log/log';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { type KeyHolder, keyHolder, trusting } from '@ovn-steward/shared/signing/testing/keys';

/**
 * Who has keys in the tests: one executor and three people that are trusted, and one that nobody
 * knows.
 */
export const EXECUTOR = keyHolder({ role: 'executor', name: 'executor-1' });
export const ANNA = keyHolder({ role: 'approver', name: 'anna' });
export const BOB = keyHolder({ role: 'approver', name: 'bob' });
export const ONLY_HOLDS = keyHolder({
  role: 'approver',
  name: 'guard',
  decisions: ['hold', 'resume'],
});
export const MALLORY = keyHolder({ role: 'approver', name: 'anna' });

const TRUSTED = trusting(EXECUTOR, ANNA, BOB, ONLY_HOLDS);

/** A log as somebody sees it who signs with his key, and trusts those who are to be trusted. */
export const logOf = (log: Log, holder: KeyHolder = EXECUTOR, now: () => number = Date.now): Log =>
  signedLog(log, { key: holder.key, trusted: () => TRUSTED, required: true, now });
