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
