import type { SubnetReport } from '@ovn-steward/analyzer';
import { HEALTHY_SUBNET as apps } from '../testing/subnet-report';
import { subnetsTable } from './subnets-table';

const six = (available: string) => [
  {
    family: 'v6' as const,
    used: '2',
    counted: '2',
    held: '2',
    available,
    free: '18446744073709551612',
  },
];
const finding = (rule: string, id: string): SubnetReport['findings'][number] => ({
  id,
  rule,
  class: 'leak',
  severity: 'warning',
  state: 'suspected',
  firstSeen: '2026-01-01T00:00:00Z',
  summary: '',
});
/** The line of a subnet, its cells by their heads. */
function cells(changed: Partial<SubnetReport>): Record<string, string> {
  const [head, line] = subnetsTable([{ ...apps, ...changed }]).split('\n') as [string, string];
  const starts = [...head.matchAll(/(?<=^| {2})\S/g)].map((it) => it.index);
  return Object.fromEntries(
    starts.map((start, i) => [
      head.slice(start, starts[i + 1]).trim(),
      line.slice(start, starts[i + 1]).trim(),
    ]),
  );
}

test.each<[title: string, changed: Partial<SubnetReport>, expected: Record<string, string>]>([
  [
    'all is well',
    {},
    {
      SUBNET: 'apps',
      VPC: 'blue',
      CIDR: '10.17.0.0/24',
      GATEWAY: '10.17.0.1',
      READY: 'yes',
      VALIDATED: 'yes',
      'IN USE': '2',
      FREE: '251',
      'FULL IN': '-',
      NAMESPACES: 'shop',
      VLAN: '-',
      NOTES: '',
    },
  ],
  ['a node is the gateway', { activeGateway: 'worker-1' }, { GATEWAY: '10.17.0.1 on worker-1' }],
  ['no node is', { activeGateway: '' }, { GATEWAY: '10.17.0.1 (no node)' }],
  ['conditions', { ready: false, validated: null }, { READY: 'no', VALIDATED: '?' }],
  [
    'the status counts more than is held',
    {
      addresses: [
        { family: 'v4', used: '9', counted: '2', held: '2', available: '244', free: '251' },
      ],
    },
    { 'IN USE': '9 (2 held)', FREE: '251 (status: 244)' },
  ],
  [
    'the truth is not known',
    {
      addresses: [
        { family: 'v4', used: '9', counted: null, held: null, available: '244', free: null },
      ],
    },
    { 'IN USE': '9 (? held)', FREE: '244' },
  ],
  ['IPv6 as JSON rounds it', { addresses: six('18446744073709552000') }, { FREE: '1.8e19' }],
  [
    'IPv6 beyond rounding',
    { addresses: six('9223372036854775808') },
    { FREE: '1.8e19 (status: 9.2e18)' },
  ],
  [
    'full in hours',
    { exhaustion: { is: 'growing', taken: 3, windowSeconds: 21_600, fullInSeconds: 10_800 } },
    { 'FULL IN': '3h' },
  ],
  ['full now', { exhaustion: { is: 'full' } }, { 'FULL IN': 'now' }],
  ['nobody knows when', { exhaustion: { is: 'unknown', reason: '' } }, { 'FULL IN': '?' }],
  [
    'a namespace is named and not bound',
    { namespaces: { named: ['pay', 'shop'], annotated: ['shop'] } },
    { NAMESPACES: 'shop; not bound: pay' },
  ],
  [
    'namespaces are not known',
    { namespaces: { named: ['pay'], annotated: null } },
    { NAMESPACES: 'pay (named)' },
  ],
  ['the VLAN is gone', { vlan: { name: 'v1', presence: 'absent' } }, { VLAN: 'v1 (missing)' }],
  [
    'the provider is not known',
    {
      vlan: { name: 'v1', presence: 'present' },
      providerNetwork: { name: 'p1', presence: 'unknown' },
    },
    { VLAN: 'v1 on p1 (?)' },
  ],
  [
    'findings, and it is going',
    {
      terminatingSince: '2026-01-01T00:00:00Z',
      findings: [finding('leaked-ip', 'a'), finding('leaked-ip', 'b')],
    },
    { NOTES: 'terminating since 2026-01-01T00:00:00Z, leaked-ip ×2' },
  ],
])('%s', (_, changed, expected) => expect(cells(changed)).toMatchObject(expected));

test('nothing to show', () => expect(subnetsTable([])).toBe('No subnets.\n'));
