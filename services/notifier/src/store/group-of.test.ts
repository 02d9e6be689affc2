import { causeless, finding } from '../testing/findings';
import { groupOf } from './group-of';

const cause = (key: string) => ({ kind: 'Pod', key, text: key });

test('findings of one cause are one group, whatever their rule', () => {
  const group = groupOf(finding('a'));
  expect(groupOf(finding('b', { rule: 'leaked-ip', scope: { subnet: 'other' } }))).toBe(group);
  expect(groupOf(finding('a', { cause: cause('shop/web-1') }))).not.toBe(group);
  expect(groupOf(finding('a', { cluster: 'other' }))).not.toBe(group);
});

test('without a cause those of one rule in one subnet are, else in one VPC', () => {
  const group = groupOf(causeless('a', { scope: { subnet: 's', vpc: 'v' } }));
  expect(groupOf(causeless('b', { scope: { subnet: 's' } }))).toBe(group);
  expect(groupOf(causeless('b', { scope: { subnet: 't' } }))).not.toBe(group);
  expect(groupOf(causeless('b', { scope: { subnet: 's' }, rule: 'r' }))).not.toBe(group);
  expect(groupOf(causeless('a', { scope: { vpc: 'v' } }))).not.toBe(
    groupOf(causeless('a', { scope: { vpc: 'w' } })),
  );
});

test('names that look like others’ separators make no group of two', () => {
  expect(groupOf(finding('a', { cause: { kind: 'Pod', key: 'x","y', text: '' } }))).not.toBe(
    groupOf(finding('a', { cause: { kind: 'Pod","x', key: 'y', text: '' } })),
  );
  expect(groupOf(finding('a', { cause: cause('leaked-ip') }))).not.toBe(
    groupOf(causeless('a', { rule: 'Pod', scope: { subnet: 'leaked-ip' } })),
  );
});
