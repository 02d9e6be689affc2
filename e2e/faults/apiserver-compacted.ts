import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

export const apiserverCompacted: Fault = {
  breaks:
    'the API server restarted after etcd forgot its history, so that every watch is answered 410',
  async strike(bed, random, busy) {
    for (let round = 0; round < 2; round += 1) {
      await sleep(500 + random() * 2000);
      await bed.kubernetes.kill();
      await sleep(random() * 2000);
      await bed.kubernetes.compactEtcd();
      await bed.kubernetes.restart();
    }
    await busy;
  },
};
