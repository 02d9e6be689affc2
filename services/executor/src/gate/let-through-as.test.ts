import { letThroughAsAnother } from './let-through-as';

const APPS = { vpc: 'tenant-a', subnet: 'apps' };

test('as what it is, or as something that may lie anywhere', () => {
  expect(
    [APPS, { subnet: 'apps' }, { vpc: 'tenant-a' }, {}, undefined].map((said) =>
      letThroughAsAnother(said, APPS),
    ),
  ).toEqual(Array(5).fill(undefined));
  expect(letThroughAsAnother(undefined, { vpc: null, subnet: null })).toBeUndefined();
});

test('as something else, or as something nobody confirms', () => {
  expect(letThroughAsAnother({ subnet: 'lab' }, APPS)).toBe(
    'its finding says that it lies in subnet lab, and it lies in apps: holds and ceilings were asked for the wrong place',
  );
  expect(letThroughAsAnother({ subnet: 'apps', vpc: 'tenant-b' }, APPS)).toMatch(
    /VPC tenant-b, and it lies in tenant-a/,
  );
  expect(letThroughAsAnother({ vpc: 'tenant-b' }, { vpc: null, subnet: null })).toMatch(
    /VPC tenant-b, and nothing else says so/,
  );
});
