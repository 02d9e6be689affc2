import type { SubnetReport } from '@ovn-steward/analyzer';
import { HEALTHY_SUBNET as apps } from '../testing/subnet-report';
import { subnetVerdict } from './subnet-verdict';

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
