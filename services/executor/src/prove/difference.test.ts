import type { Claim } from '@ovn-steward/judgement/engine/lifecycle';
import type { Fact, Finding } from '@ovn-steward/contracts/findings/finding';
import { finding } from '../testing/findings';
import { claimDifference } from './difference';

const ABSENT: Fact = { fact: 'absent', source: 'kubernetes', kind: 'Pod', key: 'shop/web' };
const UNCHANGED: Fact = {
  fact: 'unchanged',
  subject: { source: 'ovn-nb', kind: 'Logical_Switch', name: 'apps', uid: 'u' },
  digest: 'h',
} as const;
const FOUND: Finding = { ...finding('a'), proof: [ABSENT, UNCHANGED] };
const claim = (more: Partial<Finding> = {}): Claim => ({ ...FOUND, ...more }) as unknown as Claim;
const REMEDY = FOUND.remedy!;

test('the same is no difference, whatever the sentences say', () => {
  expect(
    claimDifference(
      FOUND,
      claim({ summary: 'in other words', remedy: { ...REMEDY, advice: 'in other words' } }),
    ),
  ).toBeUndefined();
});

test.each<[string, Partial<Finding>, RegExp]>([
  ['another subject', { subject: { ...FOUND.subject, uid: 'other' } }, /its subject/],
  ['no remedy', { remedy: null }, /there is no remedy/],
  ['another action', { remedy: { ...REMEDY, action: 'other' } }, /its remedy is now other/],
  [
    'another target',
    { remedy: { ...REMEDY, target: { ...REMEDY.target, uid: 'other' } } },
    /about something else/,
  ],
  ['a fact less', { proof: [UNCHANGED] }, /a fact of its proof is not one any more: .*shop\/web/],
  ['a fact more', { proof: [ABSENT, UNCHANGED, { ...ABSENT, key: 'x' }] }, /needs more/],
  [
    'another content of a row',
    { proof: [ABSENT, { ...UNCHANGED, digest: 'i' }] },
    /Logical_Switch apps says something else/,
  ],
  ['another order', { proof: [UNCHANGED, ABSENT] }, /another order/],
])('%s is one', (_, more, why) => {
  expect(claimDifference(FOUND, claim(more))).toMatch(why);
});
