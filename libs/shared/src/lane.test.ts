import { setTimeout as sleep } from 'node:timers/promises';
import { createLane, createLanes } from './lane';

describe('a lane', () => {
  it('runs one task at a time, in order, whatever becomes of those before', async () => {
    const lane = createLane();
    const said: string[] = [];
    const task =
      (name: string, ms: number, fails = false) =>
      async (): Promise<string> => {
        said.push(`${name} begins`);
        await sleep(ms);
        said.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const first = lane.run(task('first', 20));
    const second = lane.run(task('second', 5, true));
    const third = lane.run(task('third', 0));
    expect(lane.busy()).toBe(true);
    await expect(second).rejects.toThrow('second');
    expect([await first, await third]).toEqual(['first', 'third']);
    expect(said).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
    expect(lane.busy()).toBe(false);
  });
});

describe('a lane of some width', () => {
  it('runs so many at once, each gets its turn, a failure makes room', async () => {
    const lane = createLane(2);
    let running = 0;
    let most = 0;
    const work = (n: number) => async () => {
      most = Math.max(most, ++running);
      await sleep(5);
      running -= 1;
      if (n % 3 === 0) throw new Error(`no ${n}`);
      return n;
    };
    const done = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((n) => lane.run(work(n))));
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

  it('lets the rest run in their order, and survives failures', async () => {
    const lane = createLane(2);
    const started: number[] = [];
    const release: (() => void)[] = [];
    const all = [0, 1, 2, 3].map((i) =>
      lane
        .run(async () => {
          started.push(i);
          await new Promise<void>((go) => release.push(go));
          if (i === 0) throw new Error('refused');
        })
        .catch(() => 'failed'),
    );
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    release[0]?.();
    await all[0];
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1, 2]);
    release[1]?.();
    await all[1];
    await new Promise(setImmediate);
    release.forEach((it) => it());
    expect(await Promise.all(all)).toEqual(['failed', undefined, undefined, undefined]);
    expect(await lane.run(async () => 'free again')).toBe('free again');
  });

  it('begins a task at once where none waits', async () => {
    const lane = createLane();
    await lane.run(() => Promise.resolve());
    let begun = false;
    const next = lane.run(() => {
      begun = true;
      return Promise.resolve();
    });
    expect(begun).toBe(true);
    await next;
  });
});

test('each key has a lane of its own', async () => {
  const inTurn = createLanes<string>();
  const said: string[] = [];
  const task = (name: string) => async (): Promise<void> => {
    said.push(`${name} begins`);
    await new Promise(setImmediate);
    said.push(`${name} ends`);
  };
  await Promise.all([inTurn('a', task('1')), inTurn('b', task('2')), inTurn('a', task('3'))]);
  expect(said.indexOf('2 begins')).toBeLessThan(said.indexOf('1 ends'));
  expect(said.indexOf('3 begins')).toBeGreaterThan(said.indexOf('1 ends'));
});
