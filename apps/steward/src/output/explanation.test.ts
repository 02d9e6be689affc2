import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { explanation } from './explanation';

const IP = { source: 'kubernetes', kind: 'IP', name: 'left-0.lost', uid: 'u1' } as const;
const FOUND: Finding = {
  id: 'f',
  cluster: 'berlin-1',
  rule: 'leaked-ip',
  class: 'leak',
  severity: 'warning',
  state: 'confirmed',
  revision: 1,
  subject: IP,
  concerns: [],
  owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: [] },
  summary: 'IP left-0.lost keeps 10.77.11.9',
  proof: [],
  remedy: { action: 'delete-ip', target: IP, advice: 'delete it' },
  scope: { subnet: 'web' },
  firstSeen: '',
  lastSeen: '',
  confirmedAt: null,
  resolvedAt: null,
};
const nextSteps = (more: Partial<Finding>): string =>
  explanation({ ...FOUND, ...more }, '', []).split('Remedy')[1]!;

test('names the plan that would mend it, where it lies, as a shell reads it', () => {
  expect(nextSteps({})).toContain('steward plan --rule leaked-ip --subnet web --out plan.yaml\n');
  expect(nextSteps({ scope: { subnet: '$(reboot)' } })).toContain("--subnet '$(reboot)' --out");
  expect(nextSteps({ scope: { vpc: 'tenant' } })).toContain(
    'steward plan --rule leaked-ip --out plan.yaml\n',
  );
});

test('names none where nothing of ours would', () =>
  expect(nextSteps({ remedy: null })).toMatch(/^\S*\n {2}a person must decide\n$/));

test.each([
  ['was not read', undefined, /not read: only the state of a steward run/],
  ['has nothing', [], /nothing recorded/],
  ['has something', [{ at: 'T1', what: 'inserted' }], /T1 {2}inserted/],
])('a history that %s is shown as such', (_, history, text) =>
  expect(explanation(FOUND, '', history).split('History')[1]).toMatch(text),
);
