import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

export const brokerKilled: Fault = {
  breaks: 'the broker killed and started again',
  async strike(bed, random, busy) {
    const [broker] = bed.kafka.nodes;
    if (broker === undefined) throw new Error('there is no broker');
    await sleep(500 + random() * 1500);
    await broker.kill();
    await sleep(1000 + random() * 9000);
    await broker.start();
    await busy;
  },
};
