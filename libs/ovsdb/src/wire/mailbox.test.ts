import { Mailbox } from './mailbox';

function mailbox(limit: number): { box: Mailbox<number>; signs: string[] } {
  const signs: string[] = [];
  return {
    box: new Mailbox({
      limit,
      onFull: () => signs.push('full'),
      onEmpty: () => signs.push('empty'),
    }),
    signs,
  };
}

test('gives what was pushed, in order, to who came before and after', async () => {
  const { box } = mailbox(10);
  const early = box.next();
  for (const letter of [1, 2, 3]) box.push(letter);
  expect([await early, await box.next(), await box.next()]).toEqual([1, 2, 3]);
});

test('says once that it is full, and that it is empty only after that; keeps all', async () => {
  const { box, signs } = mailbox(2);
  box.push(1);
  await box.next();
  expect(signs).toEqual([]);
  for (const letter of [1, 2, 3, 4]) box.push(letter);
  expect(signs).toEqual(['full']);
  for (const letter of [1, 2, 3]) expect(await box.next()).toBe(letter);
  expect(signs).toEqual(['full']);
  expect(await box.next()).toBe(4);
  expect(signs).toEqual(['full', 'empty']);
});

test('shows the last letter only while it waits', async () => {
  const { box } = mailbox(5);
  expect(box.last).toBeUndefined();
  box.push(1);
  box.push(2);
  expect(box.last).toBe(2);
  await box.next();
  await box.next();
  expect(box.last).toBeUndefined();
});
