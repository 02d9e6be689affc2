import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

export const northboundLeaderPartitioned: Fault = {
  breaks: 'the leader of the Northbound cluster cut off, and later handing over',
  async strike(bed, random, busy) {
    await sleep(random() * 1500);
    const old = await bed.nb.leader();
    await old.pause(); // a network gone silent: its connections stay open, and say nothing
    try {
      await bed.nb.leader();
      await sleep(3000 + random() * 4000);
    } finally {
      await old.resume();
    }
    await bed.nb.transferLeadership();
    await busy;
  },
};
