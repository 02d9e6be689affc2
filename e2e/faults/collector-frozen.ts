import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

/** Longer than the lease of the bed. */
const FROZEN_MS = 10_000;

/**
 * The zombie: it stands still past its lease, another takes over, it wakes in the middle of what it
 * was doing.
 */
export const collectorFrozen: Fault = {
  breaks: 'a collector frozen past its lease that wakes while another leads',
  async strike(bed, random, busy) {
    const second = await bed.another('collector');
    try {
      await sleep(500 + random() * 1500);
      bed.collector.signal('SIGSTOP');
      await sleep(FROZEN_MS);
      bed.collector.signal('SIGCONT');
      await busy;
    } finally {
      bed.collector.signal('SIGCONT');
      await second.stop();
    }
    await bed.collector.ready();
  },
};
