import { isProposal } from './proposal';
import { finding, NOW } from '../testing/findings';

test.each([
  ['confirmed, with a remedy', {}, true],
  ['suspected', { state: 'suspected' }, false],
  ['resolved', { state: 'resolved', resolvedAt: NOW.toISOString() }, false],
  ['confirmed, but resolved at some time', { resolvedAt: NOW.toISOString() }, false],
  ['in doubt', { doubt: 'another holds the address' }, false],
  ['without a remedy', { remedy: null }, false],
] as const)('%s: proposed is %s', (_, more, proposed) => {
  expect(isProposal(finding('a', more))).toBe(proposed);
});
