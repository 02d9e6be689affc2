import { outlookTable } from './outlook-table';

const none = {
  subnets: 1,
  addresses: [],
  exhaustion: { is: 'none-in-sight' },
  first: null,
} as const;

test('a line per VPC and one for all', () =>
  expect(
    outlookTable({
      vpcs: [
        {
          vpc: 'blue',
          subnets: 2,
          addresses: [
            { family: 'v4', held: '7', free: '250' },
            { family: 'v6', held: '7', free: '18446744073709551612' },
          ],
          exhaustion: { is: 'growing', taken: 1, windowSeconds: 1, fullInSeconds: 10_800 },
          first: { subnet: 'web', fullInSeconds: 7200 },
        },
        { ...none, vpc: '' },
      ],
      total: {
        ...none,
        subnets: 3,
        addresses: [{ family: 'v4', held: null, free: null }],
        exhaustion: { is: 'unknown', reason: 'x' },
        first: { subnet: 'old', fullInSeconds: 0 },
      },
    }).split('\n'),
  ).toEqual([
    'VPC   SUBNETS  HELD   FREE          FULL IN  FIRST FULL',
    'blue  2        7 | 7  250 | 1.8e19  3h       web in 2h',
    '-     1        -      -             -        -',
    'all   3        ?      ?             ?        old now',
    '',
  ]));
