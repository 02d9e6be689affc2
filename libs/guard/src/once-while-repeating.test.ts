import { onceWhileRepeating } from './once-while-repeating';

test('two failures that repeat by turns are new once each, and again when they come back', () => {
  let now = 0;
  const isNew = onceWhileRepeating(() => now);
  const met: string[] = [];
  for (; now < 3_600_000; now += 30_000)
    met.push(...['no Vpcs', 'no Subnets'].filter((it) => isNew(it)));
  expect(met).toEqual(['no Vpcs', 'no Subnets']);
  now += 3_600_000;
  expect([isNew('no Subnets'), isNew('no Subnets')]).toEqual([true, false]);
});
