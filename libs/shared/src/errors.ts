/** When a failed step may be tried again. */
export type Retry = 'never' | 'later' | 'now';

/**
 * Every failure we know by a code, and whether trying again can help. A code that is not here is a
 * bug; for an error without a code the caller decides: `later` in the collector, `never` in the
 * executor.
 */
export const RETRY = {
  'input-not-found': 'never',
  'input-unreadable': 'never',
  'input-truncated': 'never',
  'input-not-a-database': 'never',
  'input-foreign-schema': 'never',
  'input-not-a-dump': 'never',
  'config-invalid': 'never',
  'address-invalid': 'never',
  'source-unreachable': 'later',
  'source-refused': 'later',
  'source-certificate': 'later',
  'source-forbidden': 'later',
  'source-not-served': 'later',
  'source-expired': 'now',
  'source-broken': 'later',
  'object-malformed': 'later',
  'log-topic-drift': 'never',
  'log-locked': 'later',
  'log-full': 'later',
  'log-corrupt': 'never',
  'log-unavailable': 'later',
  'log-closed': 'never',
  'log-topic-unknown': 'never',
  'log-position-lost': 'never',
  'log-partition-lost': 'later',
  'log-forbidden': 'later',
  'log-record-refused': 'never',
  'state-corrupt': 'never',
  'leadership-lost': 'later',
  'outcome-unknown': 'later',
  'on-hold': 'later',
  fenced: 'later',
  'other-cluster': 'later',
  'plan-invalid': 'never',
  'plan-altered': 'never',
  'plan-foreign': 'never',
  'plan-stale': 'never',
  'plan-unripe': 'later',
  'plan-unstated': 'never',
  'uninstall-refused': 'never',
  'undo-impossible': 'never',
  'give-up-refused': 'never',
  'backup-invalid': 'never',
  'restore-refused': 'never',
  'guard-refused': 'never',
  'listen-failed': 'never',
  'output-unwritable': 'never',
  'access-unauthenticated': 'never',
  'access-forbidden': 'never',
  'stop-overdue': 'never',
} as const satisfies Record<string, Retry>;

export type FailureCode = keyof typeof RETRY;

/**
 * An expected failure: what happened, to which object, and (in the message) what to do next. Never
 * carries secrets.
 */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly code: FailureCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get retry(): Retry {
    return RETRY[this.code];
  }
}

/**
 * What to do about any error: the table's answer for a Failure, the caller's default for the rest.
 */
export const retryOf = (error: unknown, otherwise: Retry): Retry =>
  error instanceof Failure ? error.retry : otherwise;

/** The message of anything thrown, for a sentence to a person. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
