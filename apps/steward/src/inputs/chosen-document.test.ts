import { compareValues } from '@ovn-steward/shared/compare';
import { auditDocument } from '@ovn-steward/analyzer';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { observeAt } from '../testing/truth';
import { chosenDocument } from './chosen-document';

let document: AuditDocument;
beforeAll(async () => {
  document = auditDocument(await observeAt('leaky'), 'test');
});

test('without a filter it is the same document', () =>
  expect(chosenDocument(document, { ids: [] })).toBe(document));

test('with one it holds these alone, and counts them again', () => {
  const { findings, summary, unknowns } = chosenDocument(document, { rule: 'leaked-ip' });
  expect(findings.length).toBe(document.summary.byRule['leaked-ip']);
  expect(summary).toMatchObject({ findings: findings.length, byClass: { leak: findings.length } });
  expect(unknowns.every((it) => it.rule === 'leaked-ip')).toBe(true);
  expect(findings.length).toBeLessThan(document.findings.length);
});

test('the beginnings of ids choose, and one of none is an error', () => {
  const { id } = document.findings[3]!;
  expect(chosenDocument(document, { ids: [id.slice(0, 12)] }).findings.map((it) => it.id)).toEqual([
    id,
  ]);
  expect(() => chosenDocument(document, { ids: ['zzzz'] })).toThrow(/No finding begins/);
});

test('since counts back from the time of the document, and the order is the one that is wanted', () => {
  expect(chosenDocument(document, { since: '1h' }).findings.length).toBeGreaterThan(0);
  const sorted = chosenDocument(document, { sortBy: 'name' }).findings.map((it) => it.subject.name);
  expect(sorted).toEqual([...sorted].sort(compareValues));
});
