import {
  decodeAction,
  type DecodedAction,
  type WrittenAction,
} from '@ovn-steward/contracts/actions/action-codec';
import type { Poison } from '@ovn-steward/contracts/record/read-document';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { Signer } from '@ovn-steward/shared/log/signer';

/**
 * An action as the log has it: nothing it says is left out, also what this version does not know.
 */
export interface ReadAction extends WrittenAction {
  /** Its author is not proven, on a log that others may write to. */
  readonly unproven?: boolean;
}

/**
 * One record of the actions: an action, which may use words of a later version (nothing follows a
 * state that this version does not know: `decide.ts`), or the tombstone of one.
 */
export type ActionEntry = ReadAction | { readonly forgotten: string; readonly unproven?: boolean };

/**
 * A record that counts for nothing, with the reason; `refused` where no executor is proven to have
 * written it.
 */
export interface NoEntry extends Poison {
  readonly refused?: RefusedFor;
}

/** Reads one record of that partition. Never throws. */
export function readAction(partition: number, record: LogRecord): ActionEntry | NoEntry {
  const { origin } = record;
  if (origin?.is === 'refused') return { poison: origin.why, refused: origin.reason };
  const entry = entryOf(decodeAction(partition, record));
  if (origin === undefined || 'poison' in entry) return entry;
  if (origin.is === 'unsigned') return { ...entry, unproven: true };
  const why = whyMayNotAct(origin.by, entry);
  return why === undefined ? entry : { poison: why, refused: 'role' };
}

const entryOf = (read: DecodedAction): ActionEntry | Poison =>
  'action' in read ? { action: read.action, text: read.text } : read;

/** Why a signer may not have written that; undefined when they may. */
function whyMayNotAct({ name, role, clusters }: Signer, entry: ActionEntry): string | undefined {
  if (role !== 'executor')
    return `${name} signs as ${role}, and only executors publish what they do`;
  if (clusters === undefined) return undefined;
  if ('forgotten' in entry)
    return `${name} may act on some clusters only, and a tombstone names none`;
  return clusters.includes(entry.action.cluster)
    ? undefined
    : `${name} may do nothing about cluster ${entry.action.cluster}`;
}
