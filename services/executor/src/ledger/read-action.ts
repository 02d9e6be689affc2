import { Action } from '@ovn-steward/contracts/actions/action';
import { messageOf } from '@ovn-steward/shared/errors';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { Signer } from '@ovn-steward/shared/log/signer';
import { isUnknownWord } from '@ovn-steward/contracts/record/unknown-word';

/** An action as the log has it: nothing it says is left out, also what this version does not know. */
export interface ReadAction {
  readonly action: Action;
  readonly text: string;
  /** Nobody is proven to have written it, on a log that others may write to. */
  readonly unproven?: boolean;
}

/**
 * One record of the actions: an action, the tombstone of one, or what is none, with the reason. An action of version 1 may use words added later
 * (its lists of words are open): it is kept as it is, and nothing follows a state nobody here knows (`decide.ts`).
 */
export type Entry = ReadAction | { readonly forgotten: string; readonly unproven?: boolean };

/** A record that counts for nothing, with the reason; `refused` where no executor is proven to have written it. */
export interface NoEntry {
  readonly poison: string;
  readonly refused?: RefusedFor;
}

/** Reads one record of that partition. Never throws. */
export function readAction(partition: number, record: LogRecord): Entry | NoEntry {
  const { origin } = record;
  if (origin?.is === 'refused') return { poison: origin.why, refused: origin.reason };
  const entry = contentOf(partition, record);
  if (origin === undefined || 'poison' in entry) return entry;
  if (origin.is === 'unsigned') return { ...entry, unproven: true };
  const why = mayAct(origin.by, entry);
  return why === undefined ? entry : { poison: why, refused: 'role' };
}

/** Why a signer may not have written that; undefined when he may. */
function mayAct({ name, role, clusters }: Signer, entry: Entry): string | undefined {
  if (role !== 'executor') return `${name} signs as ${role}, and only executors tell what they do`;
  if (clusters === undefined) return undefined;
  if ('forgotten' in entry)
    return `${name} may act on some clusters only, and a tombstone names none`;
  return clusters.includes(entry.action.cluster)
    ? undefined
    : `${name} may do nothing about cluster ${entry.action.cluster}`;
}

function contentOf(partition: number, record: LogRecord): Entry | NoEntry {
  if (record.value === null) return { forgotten: record.key };
  try {
    const action: unknown = JSON.parse(record.value.toString('utf8'));
    const poison = whyNot(partition, record.key, action);
    return poison === undefined
      ? { action: action as Action, text: JSON.stringify(action) }
      : { poison };
  } catch (error) {
    return { poison: `not JSON: ${messageOf(error)}` };
  }
}

function whyNot(partition: number, key: string, json: unknown): string | undefined {
  const wrong = Action.safeParse(json).error?.issues.find((it) => !isUnknownWord(json, it));
  if (wrong !== undefined)
    return `not an action of version 1: ${wrong.path.join('.')} ${wrong.message}`.replace(
      ':  ',
      ': ',
    );
  const { id, cluster, at, claimedAt, endedAt } = json as Action;
  if (key !== id) return `its key is not the action's id, ${id}`;
  if (partitionOf(cluster, PARTITIONS) !== partition)
    return `actions of cluster ${cluster} belong into partition ${partitionOf(cluster, PARTITIONS)}`;
  const noTime = [at, claimedAt, endedAt].find((it) => it !== null && Number.isNaN(Date.parse(it)));
  return noTime === undefined ? undefined : `not an action of version 1: ${noTime} is no time`;
}
