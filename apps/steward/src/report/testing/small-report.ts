import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { type Report, reportOf } from '../report';
import type { SubnetReport } from '@ovn-steward/analyzer';

const EXAMPLES = join(__dirname, '../../../../../contracts/examples');

/** The audit document of the published example. */
export const smallAudit = (): AuditDocument =>
  JSON.parse(readFileSync(join(EXAMPLES, 'audit.v1.findings.json'), 'utf8')) as AuditDocument;

const subnet = (name: string, more: Partial<SubnetReport>): SubnetReport => ({
  name,
  vpc: 'ovn-cluster',
  cidr: '10.16.0.0/24',
  gateway: '10.16.0.1',
  activeGateway: null,
  ready: true,
  validated: true,
  terminatingSince: null,
  namespaces: { named: [], annotated: [] },
  vlan: null,
  providerNetwork: null,
  addresses: [{ family: 'v4', used: '9', counted: '9', held: '9', available: '7', free: '7' }],
  exhaustion: { is: 'none-in-sight' },
  findings: [],
  ...more,
});

/**
 * Its report, with a subnet that fills up, one that is full, and one of which nothing is known;
 * changed as given.
 */
export const smallReport = (changed: Partial<AuditDocument> = {}): Report =>
  reportOf({
    document: { ...smallAudit(), ...changed },
    subnets: [
      subnet('ovn-default', {
        exhaustion: { is: 'growing', taken: 1, windowSeconds: 21_600, fullInSeconds: 172_800 },
      }),
      subnet('full', { exhaustion: { is: 'full' }, vpc: 'tenant' }),
      subnet('dark', { exhaustion: { is: 'unknown', reason: 'it has no CIDR' }, addresses: [] }),
    ],
    subnetsComplete: true,
    readFrom: 'memory',
    doubt: undefined,
  });
