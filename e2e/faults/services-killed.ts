import { setTimeout as sleep } from 'node:timers/promises';
import type { Bed } from '../support/bed';
import { oneOf } from '../support/random';
import type { Fault } from './fault';

const killed = (name: 'collector' | 'analyzer' | 'executor'): Fault => ({
  breaks: `the ${name} killed again and again`,
  async strike(bed: Bed, random, busy) {
    const over = { yet: false };
    void busy.finally(() => {
      over.yet = true;
    });
    while (!over.yet) {
      await sleep(300 + random() * 2500);
      await bed[name].kill();
      if (oneOf(random, [true, false])) await sleep(random() * 1500);
      bed[name].start();
    }
    await busy;
  },
});

export const collectorKilled = killed('collector');
export const analyzerKilled = killed('analyzer');
export const executorKilled = killed('executor');
