import type { SubnetReport } from '@ovn-steward/analyzer';
import { subnetVerdict } from './subnet-verdict';

const apps: SubnetReport = {
  name: 'apps',
  vpc: 'blue',
  cidr: '10.17.0.0/24',
  gateway: '10.17.0.1',
  activeGateway: null,
  ready: true,
  validated: true,
  terminatingSince: null,
  namespaces: { named: ['shop'], annotated: ['shop'] },
  addresses: [{ family: 'v4', used: '2', counted: '2', held: '2', available: '251', free: '251' }],
  vlan: null,
  providerNetwork: null,
  exhaustion: { is: 'none-in-sight' },
  findings: [],
};
const FINDING: SubnetReport['findings'][number] = {
  id: 'a',
  rule: 'leaked-ip',
  class: 'leak',
  severity: 'warning',
  state: 'suspected',
  firstSeen: '2026-01-01T00:00:00Z',
  summary: '',
};
const unknown = {
  addresses: [{ ...apps.addresses[0]!, counted: null, held: null, free: null }],
  exhaustion: { is: 'unknown', reason: '' },
} as const;

test.each<
  [title: string, changed: Partial<SubnetReport>, verdict: ReturnType<typeof subnetVerdict>]
>([
  ['all is as it should be', {}, 'well'],
  [
    'it grows',
    { exhaustion: { is: 'growing', taken: 1, windowSeconds: 1, fullInSeconds: 1 } },
    'well',
  ],
  ['it is being deleted', { terminatingSince: '2026-01-01T00:00:00Z' }, 'well'],
  [
    'a namespace it names is not there yet',
    { namespaces: { named: ['pay'], annotated: [] } },
    'well',
  ],
  ['a node is its gateway', { activeGateway: 'worker-1' }, 'well'],
  ['a finding stands', { findings: [FINDING] }, 'wrong'],
  ['it is not ready', { ready: false }, 'wrong'],
  ['it is not validated', { validated: false }, 'wrong'],
  ['it is full', { exhaustion: { is: 'full' } }, 'wrong'],
  ['no node is its gateway', { activeGateway: '' }, 'wrong'],
  ['its Vlan is gone', { vlan: { name: 'v1', presence: 'absent' } }, 'wrong'],
  [
    'its provider is gone',
    {
      vlan: { name: 'v1', presence: 'present' },
      providerNetwork: { name: 'p1', presence: 'absent' },
    },
    'wrong',
  ],
  ['it is wrong, and something is not known', { ready: false, ...unknown }, 'wrong'],
  ['nobody said whether it is ready', { ready: null }, 'unknown'],
  ['nobody said whether it is validated', { validated: null }, 'unknown'],
  ['its Vlan may be there', { vlan: { name: 'v1', presence: 'unknown' } }, 'unknown'],
  ['nobody knows what is free', unknown, 'unknown'],
])('%s', (_, changed, verdict) => expect(subnetVerdict({ ...apps, ...changed })).toBe(verdict));
