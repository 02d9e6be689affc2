import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Finding } from '../findings/finding';
import type { Selector } from '../identity/selector';
import { maySelect, surelySelects } from './selects';

const CONFIRMED = join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json');
const finding = Finding.parse(JSON.parse(readFileSync(CONFIRMED, 'utf8')));
const { scope: _, ...placeless } = finding;

test.each<[string, Selector, boolean, boolean]>([
  ['its id', { finding: finding.id }, true, true],
  ['the beginning of its id', { finding: finding.id.slice(0, 8) }, false, false],
  ['its rule and subnet', { rule: finding.rule, subnet: 'ovn-default' }, true, true],
  ['another rule', { rule: 'leaked-ip', subnet: 'ovn-default' }, false, false],
  ['its class', { class: 'garbage' }, true, true],
  ['a class of a later version', { class: 'novelty' }, false, true],
  ['a VPC, which it does not name', { vpc: 'tenant-a' }, false, true],
  ['the namespace of its owner', { namespace: 'shop' }, true, true],
  ['another namespace', { namespace: 'bank' }, false, false],
  ['its uid', { subject: finding.subject.uid }, true, true],
  ['its name', { subject: 'Logical_Switch_Port/web-0.shop' }, true, true],
  ['a namesake of another kind', { subject: 'IP/web-0.shop' }, false, false],
  ['a member of a later version', { rule: finding.rule, node: 'a' }, false, true],
  ['a member that is no text', { rule: finding.rule, subnet: 7 } as never, false, true],
  ['nothing', {}, false, true],
])('of a selector by %s', (_what, selector, surely, maybe) => {
  expect([surelySelects(selector, finding), maySelect(selector, finding)]).toEqual([surely, maybe]);
});

test('a finding that says no place may lie in any', () => {
  const selector = { subnet: 'ovn-default' };
  expect([surelySelects(selector, placeless), maySelect(selector, placeless)]).toEqual([
    false,
    true,
  ]);
});

test('what a finding concerns may be meant, and is not for certain', () => {
  const concerned = { ...finding, concerns: [{ ...finding.subject, uid: 'another' }] };
  const selector = { subject: 'another' };
  expect([surelySelects(selector, concerned), maySelect(selector, concerned)]).toEqual([
    false,
    true,
  ]);
});

test('of owners in two namespaces neither is certain', () => {
  const absent = { fact: 'absent', source: 'kubernetes', kind: 'Pod', key: 'bank/web-0' } as const;
  const shared = { ...finding, proof: [...finding.proof, absent] };
  for (const namespace of ['shop', 'bank'])
    expect([surelySelects({ namespace }, shared), maySelect({ namespace }, shared)]).toEqual([
      false,
      true,
    ]);
});
