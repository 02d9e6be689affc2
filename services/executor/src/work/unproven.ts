import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { onceEach } from '../identity/once-each';
import type { Ledger } from '../ledger/ledger';

/** What is not done on account of a record whose author is not proven. */
export type UnprovenUse = 'claim' | 'race' | 'undo' | 'give-up';

/** Published once for each action and use. */
export interface UnprovenEvent {
  readonly type: 'unproven';
  readonly what: UnprovenUse;
  readonly why: string;
}

/**
 * Actions that are known from unsigned records alone, where records need no signature
 * (`signing.required: false`). Any client that may write to the topic may have forged them: they
 * keep other executors from acting on the same, and nothing is settled, put back or ended on their
 * account.
 */
export interface Unproven {
  /**
   * Why nothing is done on its account; undefined where this executor's own file knows it, or a
   * trusted key signed it.
   */
  why(record: Pick<ActionRecord, 'id' | 'executor'>): string | undefined;
  /** Publishes what is refused, once. */
  refused(what: UnprovenUse, id: string, why: string): void;
}

export function unprovenIn(
  ledger: Pick<Ledger, 'isUnproven'>,
  onEvent: (event: UnprovenEvent) => void,
): Unproven {
  const isNew = onceEach();
  return {
    why: (record) => whyUnproven(record, ledger),
    refused(what, id, why) {
      if (isNew(`${what} ${id}`)) onEvent({ type: 'unproven', what, why });
    },
  };
}

/** Why nothing is done on account of what is known of an action; undefined where that is proven. */
export const whyUnproven = (
  { id, executor }: Pick<ActionRecord, 'id' | 'executor'>,
  ledger: Pick<Ledger, 'isUnproven'>,
): string | undefined =>
  ledger.isUnproven(id)
    ? `the record of action ${id} is not signed, and this executor has no record of its own: only the executor that did it (${executor}) can go on with it or put it back. Give every executor and approver a key (docs/signing.md), so that from then on each of them can`
    : undefined;
