import { setTimeout as sleep } from 'node:timers/promises';
import { asAdmin } from '../as-admin';

const GROUP = 'steward-analyzer';

/**
 * Forgets how far the analyzers read. Its members were killed: the coordinator takes them for alive
 * until their sessions end.
 */
export const forgetGroup = (brokers: readonly string[]): Promise<void> =>
  asAdmin(brokers, async (admin) => {
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const deleted = await admin.deleteGroups([GROUP]).catch(() => undefined);
      if (deleted !== undefined) return;
      await sleep(1000);
    }
    throw new Error(`group ${GROUP} was not empty after a minute`);
  });
