import { reportGuard } from './report-guard';

test('says what it does and what waits; a failure that repeats is said once', () => {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const report = reportGuard({
    error: say,
    warn: say,
    info: say,
    debug: say,
  } as unknown as Parameters<typeof reportGuard>[0]);
  report({ type: 'guarded', vpc: 'a', did: 'add' });
  report({ type: 'guarded', vpc: 'a', did: 'take-off' });
  report({ type: 'guard-waits', waiting: [] });
  report({ type: 'guard-denials', denials: new Map([['vpc-with-subnets', 7]]) });
  report({ type: 'guard-failed', error: 'it is down' });
  report({ type: 'guard-failed', error: 'it is down' });
  report({ type: 'guard-failed', error: 'it is up and broken' });
  expect(said).toEqual(['vpc guarded', 'vpc freed', 'vpc deletions wait', 'guard', 'guard']);
});

test('two failures that repeat by turns are said once each, and again when they come back', () => {
  const said: unknown[] = [];
  const logger = { warn: (_: string, fields: { error: string }) => said.push(fields.error) };
  let now = 0;
  const report = reportGuard(logger as never, () => now);
  for (; now < 3_600_000; now += 30_000)
    for (const error of ['no Vpcs', 'no Subnets']) report({ type: 'guard-failed', error });
  expect(said).toEqual(['no Vpcs', 'no Subnets']);
  now += 3_600_000;
  report({ type: 'guard-failed', error: 'no Subnets' });
  expect(said).toEqual(['no Vpcs', 'no Subnets', 'no Subnets']);
});
