import { join } from 'node:path';
import { pause } from '@ovn-steward/shared/pause';
import { encodeControlParts } from '@ovn-steward/contracts/control/control-codec';
import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL, DEAD_LETTER } from '@ovn-steward/shared/log/topics';
import { SIGNATURE_HEADER } from '@ovn-steward/shared/signing/signature-header';
import { ControlInbox, type WaitingControl } from '../store/control-inbox';

const EVERY_MS = 250;

/** The inbox of a state directory. @throws Failure `state-corrupt`. */
export const openInbox = (stateDir: string): ControlInbox =>
  new ControlInbox(join(stateDir, 'control.db'));

export interface MoveInboxOptions {
  readonly inbox: ControlInbox;
  /** The embedded log, which this process has. */
  readonly log: Log;
  /** The cluster's. */
  readonly partition: number;
  readonly signal: AbortSignal;
  /** The log's clock, ms since the epoch; the system's by default. */
  readonly now?: () => number;
  /** Called with failures, one sentence each. Must not throw. */
  readonly onTrouble?: (message: string) => void;
}

/**
 * Takes what people decide from the inbox to the control topic until the signal fires. Each is
 * appended, then removed: after a crash in between it is appended again before anything else, which
 * changes nothing.
 * @throws Failure `log-closed`.
 */
export async function moveInbox(options: MoveInboxOptions): Promise<void> {
  const { inbox, signal, onTrouble } = options;
  while (!signal.aborted) {
    try {
      for (const waitingControl of inbox.waiting()) await move(waitingControl, options);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Failure && error.code === 'log-closed') throw error;
      onTrouble?.(`What people decided waits in ${inbox.path}: ${messageOf(error)}`);
    }
    await pause(EVERY_MS, signal);
  }
}

/** Everything that waits now. @throws Failure as appending does. */
export async function emptyInbox(
  options: Omit<MoveInboxOptions, 'signal' | 'onTrouble'>,
): Promise<void> {
  for (const waitingControl of options.inbox.waiting()) await move(waitingControl, options);
}

async function move(
  waitingControl: WaitingControl,
  { inbox, log, partition, now = Date.now }: Omit<MoveInboxOptions, 'signal' | 'onTrouble'>,
): Promise<void> {
  const { id, key, value, signature, at } = waitingControl;
  const headers = signature === null ? {} : { [SIGNATURE_HEADER]: signature };
  const record = encodeControlParts({ id, key, value, headers }, Math.min(at, now()));
  try {
    await log.append(CONTROL, partition, [record]);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'log-record-refused') throw error;
    // It will never be taken, and others wait behind it.
    await log.append(DEAD_LETTER, partition, [
      deadLetterOf({
        topic: CONTROL,
        partition,
        record: { ...record, id },
        by: 'executor',
        at: new Date(now()),
        why: error.message,
      }),
    ]);
  }
  inbox.remove(id);
}
