import { createMeter } from '@ovn-steward/service/meter/meter';
import { EXECUTOR_SERVICE_METRICS } from '../metrics';
import { tellingGuard } from './telling-guard';

const said: string[] = [];
const say = (text: string): void => void said.push(text);
const logger = { error: say, warn: say, info: say, debug: say } as unknown as Parameters<typeof tellingGuard>[0]['logger'];
const waits = (name: string, secondsAgo: number) => ({ name, uid: name, since: new Date(Date.now() - secondsAgo * 1000).toISOString(), finalizers: [], subnets: ['web'] });

test('counts what waits, tells the age of the oldest at the scrape, and forgets what went', async () => {
  const meter = createMeter(EXECUTOR_SERVICE_METRICS);
  const tell = tellingGuard({ logger, meter });
  const value = async (name: string): Promise<number> => Number(new RegExp(`^steward_${name} (\\S+)$`, 'm').exec(await meter.text())?.[1]);
  tell({ type: 'guard-waits', waiting: [waits('a', 60), waits('b', 3600)] });
  expect(await value('executor_waiting_vpc_deletions')).toBe(2);
  expect(await value('executor_waiting_vpc_deletion_age_seconds')).toBeCloseTo(3600, -1);
  tell({ type: 'guard-waits', waiting: [] });
  expect(await value('executor_waiting_vpc_deletions')).toBe(0);
  expect(await value('executor_waiting_vpc_deletion_age_seconds')).toBe(0);
});

test('counts finalizers, refusals and failures; a failure that repeats is logged once', async () => {
  const meter = createMeter(EXECUTOR_SERVICE_METRICS);
  const tell = tellingGuard({ logger, meter });
  said.length = 0;
  tell({ type: 'guarded', vpc: 'a', did: 'add' });
  tell({ type: 'guarded', vpc: 'a', did: 'take-off' });
  tell({ type: 'guard-denials', denials: new Map([['vpc-with-subnets', 7]]) });
  tell({ type: 'guard-failed', error: 'it is down' });
  tell({ type: 'guard-failed', error: 'it is down' });
  const text = await meter.text();
  for (const line of ['executor_guard_finalizers_total{did="add"} 1', 'executor_guard_finalizers_total{did="take-off"} 1', 'executor_guard_denials{policy="vpc-with-subnets"} 7', 'executor_guard_failures_total 2']) expect(text).toContain(`steward_${line}`);
  expect(said).toEqual(['vpc guarded', 'vpc freed', 'guard']);
});
