import { cell, cellsOfKnowing } from './cell';

test('the sort, the name and the key each make a cell another', () => {
  const cells = [
    cell.key('Pod', 'shop/web-0'),
    cell.key('Pod', 'shop/web-1'),
    cell.key('IP', 'shop/web-0'),
    cell.uid('shop/web-0'),
    cell.relation('Pod', 'shop/web-0'),
    cell.tally('Pod', 'shop/web-0'),
    cell.known('Pod'),
    cell.known('IP'),
    cell.presence('Pod', 'shop/web-0'),
    cell.some('Pod', 'shop/web-0'),
    cell.identity('shop/web-0'),
  ];
  expect(new Set(cells).size).toBe(cells.length);
});

test('cells of a large world are hardly ever shared', () => {
  const cells = new Set(
    Array.from({ length: 200_000 }, (_, nth) => cell.key('Pod', `shop/web-${nth}`)),
  );
  expect(cells.size).toBeGreaterThan(199_900);
});

test('a kind of a definition is known by its own list and by the definitions', () => {
  expect(cellsOfKnowing('Pod')).toEqual([cell.known('Pod')]);
  expect(cellsOfKnowing('IP')).toEqual([
    cell.known('IP'),
    cell.known('CustomResourceDefinition'),
    cell.presence('CustomResourceDefinition', 'ips.kubeovn.io'),
  ]);
});
