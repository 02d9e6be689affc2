import { pause } from '@ovn-steward/shared/pause';
import { withWorker } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import type { SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import { actHere, type HereOptions } from './act-here';

/** No plan has this id: nothing but what is wanted back is done. */
const NO_PLAN = 'none';
const EVERY_MS = 200;
/** Requests are published before the first turn; the executor reads them within this many turns. */
const TURNS = 50;

/**
 * Publishes these requests, and puts back in this process (`actHere`) what people want back, these
 * actions among it; does nothing else.
 * @returns what became of them.
 * @throws Failure as acting does: the next executor that acts puts back what is left.
 */
export const undoHere = (
  log: SqliteLog,
  stateDir: string,
  requests: readonly Control[],
  ids: readonly string[],
  options: HereOptions,
): Promise<readonly ActionRecord[]> =>
  actHere(log, stateDir, options, async (here) => {
    await here.log.append(
      CONTROL,
      here.partition,
      requests.map((it) => encodeControl(it, Date.now())),
    );
    const records = (): readonly ActionRecord[] => ids.flatMap((id) => here.ledger.get(id) ?? []);
    const revision = new Map(records().map((it) => [it.id, it.revision]));
    const isDecided = (action: ActionRecord): boolean =>
      action.state !== 'done' || action.revision !== revision.get(action.id);
    await withWorker(
      { ...here, proposals: () => [], onlyPlan: NO_PLAN },
      options.signal,
      async (worker, signal) => {
        for (
          let turn = 0;
          turn < TURNS && !records().every(isDecided) && !signal.aborted;
          turn += 1
        ) {
          await worker.turn(signal);
          if (!records().every(isDecided)) await pause(EVERY_MS, signal);
        }
      },
    );
    return records();
  });
