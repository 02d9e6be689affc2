import type { Action } from '@ovn-steward/contracts/actions/action';
import { batchBytes } from '@ovn-steward/shared/log/batch-bytes';
import type { NewRecord } from '@ovn-steward/shared/log/log';
import { ACTIONS, TOPICS } from '@ovn-steward/shared/log/topics';

const MOST_BYTES = TOPICS.find(({ name }) => name === ACTIONS)!.maxMessageBytes;

/** The most a signature takes, its header's name included. */
const SIGNATURE_BYTES = 256;

/** What may come to a claim later, in bytes: another reason, and who ended it. */
const ROOM_TO_END = 64 * 1024;

/** As it lies in the log; `text` is the action's JSON, `timestamp` in ms. */
export const actionRecord = (id: string, text: string, timestamp: number): NewRecord => ({
  key: id,
  value: text,
  timestamp,
});

/** Whether the topic takes this one record. */
export const isTaken = (id: string, text: string): boolean =>
  batchBytes([actionRecord(id, text, 0)]) <= MOST_BYTES - SIGNATURE_BYTES;

/** Whether the topic takes this record, and whatever ends it: a claim that does not fit must not be made. */
export const fits = (action: Action): boolean =>
  batchBytes([actionRecord(action.id, JSON.stringify(action), 0)]) <= MOST_BYTES - ROOM_TO_END;
