import { takeGroup } from './take-group';

const call = (records: number, bytes: number) => ({
  records: Array<number>(records).fill(0),
  bytes,
});
const most = { records: 10, bytes: 100 };

it.each([
  ['all that fit, to the last record and byte', [call(5, 50), call(5, 50)], 2],
  ['no record more', [call(5, 1), call(6, 1)], 1],
  ['no byte more', [call(1, 50), call(1, 51)], 1],
  ['one that is too large by itself', [call(11, 101), call(1, 1)], 1],
  ['nothing of nothing', [], 0],
])('takes %s', (_, queue, taken) => {
  const all = [...queue];
  expect(takeGroup(queue, most)).toEqual(all.slice(0, taken));
  expect(queue).toEqual(all.slice(taken));
});
