import type { Rule, Violation } from '../rule-kit/rule';
import { entityOf, object, port } from '../testing/builders';
import { claimOf } from './claim-of';
import { absent } from '../rule-kit/facts';

const RULE = { id: 'small', class: 'leak', severity: 'warning' } as Rule;
const VIP = entityOf(object('Vip', 'a', { spec: { subnet: 'apps' } }));
const FOUND: Violation = { summary: 'it is wrong', proof: [absent('Pod', 'shop/web-0')] };
const claim = (more: Partial<Violation> = {}) => claimOf('test', RULE, VIP, { ...FOUND, ...more });

test('says what the rule says, of whom, and where it lies', () =>
  expect(claim()).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{64}$/),
    cluster: 'test',
    rule: 'small',
    class: 'leak',
    severity: 'warning',
    subject: expect.objectContaining({ kind: 'Vip', name: 'a', uid: VIP.uid }),
    concerns: [],
    owner: expect.objectContaining({ owner: 'kube-ovn', verdict: 'candidate' }),
    scope: { subnet: 'apps' },
    summary: 'it is wrong',
    proof: FOUND.proof,
    remedy: null,
  }));

test('of an entry it is another finding than of the whole', () => {
  const part = { column: 'vips', key: '10.0.0.1:80' };
  expect(claim({ part }).subject.part).toEqual(part);
  expect(claim({ part }).id).not.toBe(claim().id);
});

test('an owner that the rule found counts, whoever writes such objects', () => {
  const owner = { owner: 'neutron', verdict: 'protect', confidence: 3, evidence: ['a'] } as const;
  expect(claim({ owner: owner as never }).owner).toEqual(owner);
});

test('a cause and a remedy are carried, and nothing where it lies nowhere', () => {
  const cause = { kind: 'Pod', key: 'shop/web-0', text: 'gone' };
  const remedy = { action: 'delete-vip', target: claim().subject, advice: '' };
  expect(claim({ cause, remedy })).toMatchObject({ cause, remedy });
  expect(claim()).not.toHaveProperty('cause');
  expect(claimOf('test', RULE, entityOf(object('Namespace', 'shop')), FOUND)).not.toHaveProperty(
    'scope',
  );
});

test('concerns are in one order, however they are found', () => {
  const a = entityOf(port('a.shop'));
  const b = entityOf(port('b.shop'));
  for (const concerns of [
    [a, b],
    [b, a],
  ])
    expect(claim({ concerns }).concerns.map(({ name }) => name)).toEqual(['a.shop', 'b.shop']);
});
