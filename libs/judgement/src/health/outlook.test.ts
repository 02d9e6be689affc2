import { type SubnetForecast, outlookByVpc, outlookOf } from './outlook';

const subnet = (
  name: string,
  free: bigint | null,
  exhaustion: SubnetForecast['exhaustion'] = { is: 'none-in-sight' },
  vpc = 'blue',
): SubnetForecast => ({
  health: {
    name,
    vpc,
    addresses: [{ family: 'v4', used: 5n, counted: 5n, held: 5n, available: free, free }],
  },
  exhaustion,
});
const growing = (taken: number, fullInSeconds: number, windowSeconds = 3600) =>
  ({ is: 'growing', taken, windowSeconds, fullInSeconds }) as const;

test('a VPC is full when all its subnets are, at the pace of all; the first is named', () =>
  expect(
    outlookOf([
      subnet('c', 40n, growing(4, 36_000)),
      subnet('b', 0n, { is: 'full' }),
      subnet('a', 0n, { is: 'full' }),
      subnet('d', 60n, growing(6, 36_000)),
    ]),
  ).toEqual({
    subnets: 4,
    addresses: [{ family: 'v4', held: 20n, free: 100n }],
    exhaustion: { is: 'growing', taken: 10, windowSeconds: 3600, fullInSeconds: 36_000 },
    first: { subnet: 'a', fullInSeconds: 0 },
  }));

test.each<[string, readonly SubnetForecast[], Partial<ReturnType<typeof outlookOf>>]>([
  ['nothing grows', [subnet('a', 9n)], { exhaustion: { is: 'none-in-sight' }, first: null }],
  [
    'it would take years',
    [subnet('a', 10_000_000n, growing(1, 1))],
    { exhaustion: { is: 'none-in-sight' } },
  ],
  ['all are full', [subnet('a', 0n, { is: 'full' })], { exhaustion: { is: 'full' } }],
  [
    'one is not known',
    [subnet('a', null, { is: 'unknown', reason: 'x' }), subnet('b', 1n)],
    {
      exhaustion: { is: 'unknown', reason: 'a is not known' },
      addresses: [{ family: 'v4', held: 10n, free: null }],
    },
  ],
  ['there are none', [], { exhaustion: { is: 'unknown', reason: 'it has no subnets' } }],
])('%s', (_, given, expected) => expect(outlookOf(given)).toMatchObject(expected));

test('of a dual-stack subnet the family with fewer free addresses counts', () => {
  const { health, exhaustion } = subnet('a', 1_000_000n, growing(1, 20, 10));
  const six = { ...health.addresses[0]!, family: 'v6' as const, free: 2n };
  expect(
    outlookOf([{ health: { ...health, addresses: [...health.addresses, six] }, exhaustion }])
      .exhaustion,
  ).toMatchObject({ fullInSeconds: 20 });
});

test('VPCs are summed up one by one', () =>
  expect(
    outlookByVpc([subnet('a', 1n, undefined, 'red'), subnet('b', 2n), subnet('c', 3n)]).map(
      ({ vpc, subnets, addresses }) => [vpc, subnets, addresses[0]?.free],
    ),
  ).toEqual([
    ['blue', 2, 5n],
    ['red', 1, 1n],
  ]));
