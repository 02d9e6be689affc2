import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { encodeAction, encodeActionText } from '@ovn-steward/contracts/actions/action-codec';
import { batchBytes } from '@ovn-steward/shared/log/batch-bytes';
import { ACTIONS, TOPICS } from '@ovn-steward/shared/log/topics';

const MOST_BYTES = TOPICS.find(({ name }) => name === ACTIONS)!.maxMessageBytes;

/** The most a signature takes, its header's name included. */
const SIGNATURE_BYTES = 256;

/** What may come to a claim later, in bytes: another reason, and who ended it. */
const ROOM_TO_END = 64 * 1024;

/** Whether the topic takes this one record. */
export const isTaken = (id: string, text: string): boolean =>
  batchBytes([encodeActionText(id, text, 0)]) <= MOST_BYTES - SIGNATURE_BYTES;

/**
 * Whether the topic takes this record, and whatever ends it: a claim that does not fit must not be
 * made.
 */
export const fitsTopic = (action: ActionRecord): boolean =>
  batchBytes([encodeAction(action, 0)]) <= MOST_BYTES - ROOM_TO_END;
