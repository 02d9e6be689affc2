import { createSemaphore } from './semaphore';

test('lets so many run, the rest in their order, and survives failures', async () => {
  const { hold } = createSemaphore(2);
  const started: number[] = [];
  const release: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((i) =>
    hold(async () => {
      started.push(i);
      await new Promise<void>((go) => release.push(go));
      if (i === 0) throw new Error('refused');
    }).catch(() => 'failed'),
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
  expect(await hold(async () => 'free again')).toBe('free again');
});
