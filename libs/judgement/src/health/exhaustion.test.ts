import { ip, object } from '../testing/builders';
import type { TestWorld } from '../testing/world-builder';
import { world } from '../testing/world-builder';
import type { Exhaustion } from './exhaustion';
import { exhaustionOf } from './exhaustion';
import { subnetsHealth } from './subnet-health';

const NOW = '2026-01-02T00:00:00Z';
const hoursAgo = (hours: number): string =>
  new Date(Date.parse(NOW) - hours * 3600_000).toISOString();
const subnet = (prefix = 29, born = 48) =>
  object('Subnet', 'apps', {
    metadata: { creationTimestamp: hoursAgo(born) },
    spec: {
      cidrBlock: `10.17.0.0/${prefix}`,
      protocol: 'IPv4',
      gateway: '10.17.0.1',
      excludeIps: ['10.17.0.1'],
    },
  });
const taken = (n: number, hours?: number) =>
  ip(
    `p${n}.shop`,
    { v4IpAddress: `10.17.0.${n}` },
    { metadata: hours === undefined ? {} : { creationTimestamp: hoursAgo(hours) } },
  );

test.each<[title: string, given: TestWorld, expected: Exhaustion]>([
  [
    'one of two in six hours, three free',
    world(subnet(), taken(2, 1), taken(3, 20)),
    { is: 'growing', taken: 1, windowSeconds: 21_600, fullInSeconds: 3 * 21_600 },
  ],
  [
    'two within the hour since the subnet exists, three free',
    world(subnet(29, 1), taken(2, 0.5), taken(3, 0.5)),
    { is: 'growing', taken: 2, windowSeconds: 3600, fullInSeconds: 5400 },
  ],
  [
    'of an hour within it',
    world(subnet(28, 1), ...[2, 3, 4, 5].map((n) => taken(n, n / 10))),
    { is: 'growing', taken: 4, windowSeconds: 3600, fullInSeconds: 8100 },
  ],
  [
    'one just outside of it, and one just within',
    world(subnet(), taken(2, 6 + 2 / 60), taken(3, 6)),
    { is: 'growing', taken: 1, windowSeconds: 21_600, fullInSeconds: 3 * 21_600 },
  ],
  ['nothing was taken lately', world(subnet(), taken(2, 7)), { is: 'none-in-sight' }],
  ['it would take years', world(subnet(8), taken(2, 1)), { is: 'none-in-sight' }],
  ['nothing is free', world(subnet(30), taken(2, 1)), { is: 'full' }],
  [
    'a record does not say when it was made',
    world(subnet(), taken(2)),
    { is: 'unknown', reason: 'some record does not say when it was made' },
  ],
  [
    'Vips are not listed',
    world(subnet(), taken(2, 1)).unlisted('Vip'),
    { is: 'unknown', reason: 'not every kind that holds addresses is known' },
  ],
  ['it has no CIDR', world(object('Subnet', 'apps')), { is: 'unknown', reason: 'it has no CIDR' }],
])('%s', (_, given, expected) => {
  const folded = given.fold();
  expect(exhaustionOf(subnetsHealth(folded)[0]!, folded, NOW)).toEqual(expected);
});

test('no source said what time it is', () => {
  const folded = world(subnet(), taken(2, 1)).fold();
  expect(exhaustionOf(subnetsHealth(folded)[0]!, folded, '')).toEqual({
    is: 'unknown',
    reason: 'no source said what time it is',
  });
});
