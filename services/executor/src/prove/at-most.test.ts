import { atMost } from './at-most';

test('so many at once, each gets its turn, a failure makes room', async () => {
  const inTurn = atMost(2);
  let [running, most] = [0, 0];
  const work = (n: number) => async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    if (n % 3 === 0) throw new Error(`no ${n}`);
    return n;
  };
  const done = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((n) => inTurn(work(n))));
  expect(done.map((it) => (it.status === 'fulfilled' ? it.value : 'failed'))).toEqual([
    1,
    2,
    'failed',
    4,
    5,
    'failed',
    7,
  ]);
  expect(most).toBe(2);
  expect(running).toBe(0);
});

test('the place of work that ended with nobody waiting is free', async () => {
  const inTurn = atMost(1);
  await inTurn(() => Promise.resolve());
  let begun = false;
  const next = inTurn(() => {
    begun = true;
    return Promise.resolve();
  });
  expect(begun).toBe(true);
  await next;
});
