import { differences, ordered } from './network-state';

const read = (json: string): unknown => JSON.parse(json, (_, it: unknown) => ordered(it));

test('a set is the same in any order, and all its members count', () => {
  const a = '["uuid","a"]';
  const b = '["uuid","b"]';
  const c = '["uuid","c"]';
  expect(read(`["set",[${a},${b},${c}]]`)).toEqual(read(`["set",[${c},${a},${b}]]`));
  expect(read(`["set",[${a},${b},${c}]]`)).not.toEqual(read(`["set",[${a},${b}]]`));
});

test('a map is the same in any order, and all its entries count', () => {
  expect(read('["map",[["x","1"],["y","2"]]]')).toEqual(read('["map",[["y","2"],["x","1"]]]'));
  expect(read('["map",[["x","1"],["y","2"]]]')).not.toEqual(read('["map",[["x","1"]]]'));
});

test('what is lost, left and changed is a line each', () => {
  const before = new Map([
    ['Vpc gone', '[]'],
    ['Port_Group g', '["a.port"]'],
  ]);
  const after = new Map([
    ['Vpc left', '[]'],
    ['Port_Group g', '["b.port"]'],
  ]);
  expect(differences(before, after)).toEqual([
    'lost: Vpc gone',
    'left: Vpc left',
    'changed: Port_Group g: had a.port, has b.port',
  ]);
});
