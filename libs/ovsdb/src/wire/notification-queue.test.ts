import { NotificationQueue } from './notification-queue';

function boundedQueue(limit: number): { queue: NotificationQueue<number>; signs: string[] } {
  const signs: string[] = [];
  return {
    queue: new NotificationQueue({
      limit,
      onFull: () => signs.push('full'),
      onEmpty: () => signs.push('empty'),
    }),
    signs,
  };
}

test('gives what was pushed, in order, to who came before and after', async () => {
  const { queue } = boundedQueue(10);
  const early = queue.next();
  for (const item of [1, 2, 3]) queue.push(item);
  expect([await early, await queue.next(), await queue.next()]).toEqual([1, 2, 3]);
});

test('says once that it is full, and that it is empty only after that; keeps all', async () => {
  const { queue, signs } = boundedQueue(2);
  queue.push(1);
  await queue.next();
  expect(signs).toEqual([]);
  for (const item of [1, 2, 3, 4]) queue.push(item);
  expect(signs).toEqual(['full']);
  for (const item of [1, 2, 3]) expect(await queue.next()).toBe(item);
  expect(signs).toEqual(['full']);
  expect(await queue.next()).toBe(4);
  expect(signs).toEqual(['full', 'empty']);
});

test('shows the last item only while it waits', async () => {
  const { queue } = boundedQueue(5);
  expect(queue.last).toBeUndefined();
  queue.push(1);
  queue.push(2);
  expect(queue.last).toBe(2);
  await queue.next();
  await queue.next();
  expect(queue.last).toBeUndefined();
});
