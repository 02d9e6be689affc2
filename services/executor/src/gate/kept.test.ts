import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { keptOn, keepingText } from './kept';

const SAMPLE = join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json');
const finding = Finding.parse(JSON.parse(readFileSync(SAMPLE, 'utf8')));
const NOW = Date.parse('2026-03-02T12:00:00Z');
const keeping = (more: Partial<Keeping>): Keeping => ({
  kind: 'protect',
  selector: { rule: finding.rule },
  reason: 'audited',
  by: 'anna',
  at: '2026-03-01T00:00:00Z',
  until: null,
  ...more,
});

test.each<[string, Partial<Keeping>, boolean]>([
  ['a protection of its rule', {}, true],
  ['a suppression', { kind: 'suppress' }, true],
  ['one whose end cannot be read', { until: 'tomorrow' }, true],
  ['one that is over', { until: '2026-03-02T12:00:00Z' }, false],
  ['one of another rule', { selector: { rule: 'leaked-ip' } }, false],
  ['one of a rule there is not, which may be a slip', { selector: { rule: 'leaked-ipp' } }, true],
  ['one of a place it does not name', { selector: { vpc: 'tenant-a' } }, true],
  ['one that cannot be read', { selector: {} }, true],
])('%s', (_what, more, keeps) => {
  expect(keptOn(finding, [keeping(more)], NOW) !== undefined).toBe(keeps);
});

test('says who, what, why and how it ends', () => {
  expect(keepingText(keeping({}))).toBe(
    `anna protected rule ${finding.rule} (audited) until somebody ends it with steward unprotect`,
  );
  expect(keepingText(keeping({ kind: 'suppress', by: 'settings' }))).toContain(
    'until the setting is changed',
  );
  expect(keepingText(keeping({ until: '2026-03-03T00:00:00Z' }))).toContain('2026-03-03');
});
