import type { Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL } from '@ovn-steward/shared/log/topics';

/**
 * Appends decisions to the control topic, in their order, signed where the log signs.
 * @throws Failure as appending does; `log-unavailable` says that sending it again does no harm.
 */
export async function appendDecisions(
  log: Pick<Log, 'read' | 'append'>,
  partition: number,
  controls: readonly Control[],
): Promise<void> {
  try {
    await readToEnd(log, partition);
    for (const control of controls)
      await log.append(CONTROL, partition, [encodeControl(control, Date.now())]);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'log-unavailable') throw error;
    throw new Failure(
      'log-unavailable',
      `${error.message} It may have been published all the same: send it again, which does no harm.`,
      { cause: error },
    );
  }
}

/**
 * Reads all that was decided, so that what is published now is signed later than all of it, though
 * a clock here were behind (`signedLog`). Where it may not be read, the clock alone counts.
 */
async function readToEnd(log: Pick<Log, 'read'>, partition: number): Promise<void> {
  try {
    for (let from = 0n; ;) {
      const { records, next } = await log.read(CONTROL, partition, from, 500);
      if (records.length === 0 && next === from) return;
      from = next;
    }
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'log-forbidden')) throw error;
  }
}
