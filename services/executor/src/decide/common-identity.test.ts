import { commonIdentity } from './common-identity';

const A = { identity: { northbound: 'nb:1', kubernetes: 'k1' } };
const B = { identity: { northbound: 'nb:1', kubernetes: 'k2' } };

test.each([
  ['of one pair', [A, { ...A }], A],
  ['of two pairs', [A, B], undefined],
  ['of which one does not say it', [A, {}], undefined],
  ['of which the first does not say it', [{}, A], undefined],
  ['that are none', [], undefined],
])('records %s', (_, records, expected) => {
  expect(commonIdentity(records)).toEqual(expected);
});
