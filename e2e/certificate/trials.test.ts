import { besideRelease, scenariosBeside } from './trials';
import { isClean } from './trial';

const absent = { name: 'v1.16.2', binary: '/nonexistent', definitions: '/nonexistent' };

test('a run beside a controller that gives no result is a trial that is not right', async () => {
  const trial = await besideRelease(absent, 1, 1);
  expect(trial).toMatchObject({ amount: 'ended without a result', right: false });
  expect(isClean(trial)).toBe(false);
});

test('scenarios that give no result are as many trials that are not right', async () => {
  const trials = await scenariosBeside(absent, ['read', 'guard']);
  expect(trials.map((it) => [it.what, isClean(it)])).toEqual([
    ['Kube-OVN v1.16.2, scenario read', false],
    ['Kube-OVN v1.16.2, scenario guard', false],
  ]);
});
