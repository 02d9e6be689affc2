import type { AuditDocument } from '@ovn-steward/contracts/audit';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { smallAudit } from '../report/testing/small-report';
import { compareAudits } from './compare';

const finding = (id: string, more: Partial<Finding> = {}): Finding => ({
  ...smallAudit().findings[0]!,
  id,
  ...more,
});
const audit = (findings: readonly Finding[], unknowns: AuditDocument['unknowns'] = []) => ({
  ...smallAudit(),
  findings: [...findings],
  unknowns,
});
const RULE = finding('').rule;
const SUBJECT = finding('').subject;
const ids = (all: readonly { readonly id: string }[]): string[] => all.map((it) => it.id);

test('reports by their ids what came, went and changed', () => {
  const difference = compareAudits(
    audit([finding('gone'), finding('kept'), finding('worse')]),
    audit([finding('kept'), finding('worse', { severity: 'critical' }), finding('came')]),
  );
  expect(difference).toMatchObject({ unchanged: 1, notJudged: [] });
  expect(ids(difference.new.map((it) => it.finding))).toEqual(['came']);
  expect(ids(difference.resolved)).toEqual(['gone']);
  expect(difference.changed).toMatchObject([{ fields: ['severity'], after: { id: 'worse' } }]);
});

test('times and revisions are no change', () => {
  const later = { revision: 9, firstSeen: 'x', lastSeen: 'y', confirmedAt: 'z' };
  const difference = compareAudits(audit([finding('a')]), audit([finding('a', later)]));
  expect(difference).toMatchObject({ changed: [], unchanged: 1 });
});

test.each([
  ['the rule', null],
  ['the subject', SUBJECT],
])('what went while %s could not be judged is not resolved', (_, subject) => {
  const unknown = { rule: RULE, subject, reason: 'Pod was not listed' };
  const difference = compareAudits(audit([finding('a')]), audit([], [unknown]));
  expect(difference).toMatchObject({ resolved: [], notJudged: [{ reason: 'Pod was not listed' }] });
  const back = compareAudits(audit([], [unknown]), audit([finding('a')]));
  expect(back.new).toMatchObject([{ couldNotBeJudged: true }]);
});

test('another rule or subject that could not be judged hides nothing', () => {
  const unknowns = [
    { rule: 'other', subject: null, reason: 'x' },
    { rule: RULE, subject: { ...SUBJECT, uid: 'other' }, reason: 'x' },
  ];
  expect(ids(compareAudits(audit([finding('a')]), audit([], unknowns)).resolved)).toEqual(['a']);
});

test('what is resolved in the first document is not there', () => {
  const past = finding('a', { state: 'resolved' });
  expect(compareAudits(audit([past]), audit([]))).toMatchObject({ resolved: [] });
  expect(compareAudits(audit([past]), audit([finding('a')])).new).toHaveLength(1);
});
