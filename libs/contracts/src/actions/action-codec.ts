import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { type Poison, readDocument } from '../record/read-document';
import { ActionRecord } from './action';
import { Undo } from './undo';

/**
 * An action as it was written: nothing it says is left out, also what this version does not know.
 */
export interface WrittenAction {
  readonly action: ActionRecord;
  /** Its JSON. */
  readonly text: string;
}

/** A record of the actions topic, read: an action, the tombstone of one, or neither. */
export type DecodedAction =
  /**
   * Not `understood`: it uses words of a later version, and is to be kept and shown and never acted
   * on.
   */
  (WrittenAction & { readonly understood: boolean }) | { readonly forgotten: string } | Poison;

/** The JSON of an action, as records of it have it and stores keep it. */
export const actionJson = (action: ActionRecord): string => JSON.stringify(action);

/** The action in a text that `actionText` made. */
export const actionIn = (text: string): ActionRecord => JSON.parse(text) as ActionRecord;

/** As it lies in the log; `text` is the action's JSON. @param at milliseconds since 1970. */
export const encodeActionText = (id: string, text: string, at: number): NewRecord => ({
  key: id,
  value: text,
  timestamp: at,
});

/** @param at milliseconds since 1970. */
export const encodeAction = (action: ActionRecord, at: number): NewRecord =>
  encodeActionText(action.id, actionJson(action), at);

/**
 * Whether this version knows every word in it. What it does not put back is for the version that
 * removed it.
 */
export const isUndoUnderstood = (undo: Undo): boolean => Undo.safeParse(undo).success;

/**
 * Reads one record of that partition. Never throws. An action under a key or in a partition that is
 * not its own is poison: its tombstone would not be met. So is one without times that can be
 * compared.
 */
export function decodeAction(
  partition: number,
  { key, value }: Pick<LogRecord, 'key' | 'value'>,
): DecodedAction {
  if (value === null) return { forgotten: key };
  const read = readDocument(ActionRecord, 'an action', value);
  if ('poison' in read) return read;
  const { document: action, understood } = read;
  const poison = misplaced(partition, key, action);
  return poison === undefined ? { action, text: actionJson(action), understood } : { poison };
}

function misplaced(partition: number, key: string, action: ActionRecord): string | undefined {
  const { id, cluster, at, claimedAt, endedAt } = action;
  if (key !== id) return `its key is not the action's id, ${id}`;
  const own = partitionOf(cluster, PARTITIONS);
  if (own !== partition) return `actions of cluster ${cluster} belong to partition ${own}`;
  const noTime = [at, claimedAt, endedAt].find((it) => it !== null && Number.isNaN(Date.parse(it)));
  return noTime === undefined ? undefined : `not an action of version 1: ${noTime} is no time`;
}
