import { grownDenials } from './grown-denials';

const at = (minute: number): Date => new Date(Date.UTC(2030, 0, 1, 10, minute));
const read = (startedAt: number | undefined, count: number, other = 0) => ({
  startedAt,
  byPolicy: new Map([
    ['vpc-with-subnets', count],
    ['external-vpc', other],
  ]),
});

/** What each reading had to report, which was reported at once. */
function reported(...readings: readonly ReturnType<typeof read>[]): unknown[] {
  const grown = grownDenials();
  return readings.map((reading, minute) =>
    grown(reading, at(minute)).map(({ policy, count, since, reported: report }) => {
      report();
      return [policy, count, since.getUTCMinutes()];
    }),
  );
}

test('the first count is only what later ones are compared with', () =>
  expect(reported(read(1, 70, 7))).toEqual([[]]));

test('what grew since is reported once, for each policy, since the last count without it', () => {
  expect(reported(read(1, 4), read(1, 4), read(1, 6), read(1, 6), read(1, 7, 2))).toEqual([
    [],
    [],
    [['vpc-with-subnets', 2, 1]],
    [],
    [
      ['vpc-with-subnets', 1, 3],
      ['external-vpc', 2, 3],
    ],
  ]);
});

test('a count that fell is a new beginning', () =>
  expect(reported(read(1, 9), read(1, 3), read(1, 4))).toEqual([
    [],
    [],
    [['vpc-with-subnets', 1, 1]],
  ]));

test('each server is compared with itself alone, whichever answers', () => {
  expect(reported(read(1, 10), read(2, 3), read(1, 10), read(2, 4), read(1, 11))).toEqual([
    [],
    [],
    [],
    [['vpc-with-subnets', 1, 1]],
    [['vpc-with-subnets', 1, 2]],
  ]);
});

test('a server that was started again is another one', () =>
  expect(reported(read(1, 10), read(2, 12), read(2, 13))).toEqual([
    [],
    [],
    [['vpc-with-subnets', 1, 1]],
  ]));

test('a server that does not say when it was started is never compared', () =>
  expect(reported(read(undefined, 1), read(undefined, 5), read(undefined, 9))).toEqual([
    [],
    [],
    [],
  ]));

test('what could not be reported is reported with the next', () => {
  const grown = grownDenials();
  grown(read(1, 4), at(0));
  expect(grown(read(1, 5), at(1))).toMatchObject([{ count: 1, since: at(0) }]);
  expect(grown(read(1, 6), at(2))).toMatchObject([{ count: 2, since: at(0) }]);
});

test('forgets the server that was silent for longest, and no other', () => {
  const grown = grownDenials();
  for (let server = 0; server < 64; server++) grown(read(server, 1), at(0));
  grown(read(0, 1), at(1));
  grown(read(64, 1), at(2));
  expect([0, 64, 1].map((server) => grown(read(server, 2), at(3)).length)).toEqual([1, 1, 0]);
});
