import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

/**
 * Scaling out and in: a second analyzer comes, the first dies and returns with an old checkpoint,
 * the second leaves.
 */
export const analyzerReplaced: Fault = {
  breaks: 'one analyzer dying while another takes over, and returning with what it knew then',
  async strike(bed, random, busy) {
    const second = await bed.another('analyzer');
    try {
      await second.ready();
      await sleep(random() * 2000);
      await bed.analyzer.kill();
      await sleep(1000 + random() * 3000);
      bed.analyzer.start();
      await bed.analyzer.ready();
      await busy;
    } finally {
      await second.stop();
    }
    await bed.analyzer.ready();
  },
};
