import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

const HOUR = 3_600_000;
const PRELOAD = join(__dirname, '..', 'support', 'shifted-clock.cjs');

/**
 * An hour and a half ahead is more than Kafka takes for a record's time; behind is as if time had
 * stopped.
 */
export const clockJumped: Fault = {
  breaks: 'the clock of collector and analyzer jumping ahead, behind, and back',
  async strike(bed, random, busy) {
    const folder = mkdtempSync(join(tmpdir(), 'steward-clock-'));
    const clock = join(folder, 'ahead');
    const set = (ms: number): void => writeFileSync(clock, String(ms));
    set(0);
    const env = { NODE_OPTIONS: `--require ${PRELOAD}`, STEWARD_TEST_CLOCK: clock };
    await Promise.all([bed.collector.kill(), bed.analyzer.kill()]);
    const collector = await bed.another('collector', { env });
    const analyzer = await bed.another('analyzer', { env });
    try {
      await Promise.all([collector.ready(), analyzer.ready()]);
      for (const ms of [1.5 * HOUR, -3 * HOUR, 10 * 60_000]) {
        set(ms);
        await sleep(1500 + random() * 2000);
      }
      set(0);
      await busy;
    } finally {
      await Promise.all([collector.stop(), analyzer.stop()]);
      bed.collector.start();
      bed.analyzer.start();
      rmSync(folder, { recursive: true, force: true });
    }
    await Promise.all([bed.collector.ready(), bed.analyzer.ready()]);
  },
};
