import { scopeMismatch } from './scope-mismatch';

const APPS = { vpc: 'tenant-a', subnet: 'apps' };

test('as what it is, or as something that may lie anywhere', () => {
  expect(
    [APPS, { subnet: 'apps' }, { vpc: 'tenant-a' }, {}, undefined].map((said) =>
      scopeMismatch(said, APPS),
    ),
  ).toEqual(Array(5).fill(undefined));
  expect(scopeMismatch(undefined, { vpc: null, subnet: null })).toBeUndefined();
});

test('as something else, or as something nobody confirms', () => {
  expect(scopeMismatch({ subnet: 'lab' }, APPS)).toBe(
    'its finding says that it lies in subnet lab, and it lies in apps: holds and ceilings were asked for the wrong place',
  );
  expect(scopeMismatch({ subnet: 'apps', vpc: 'tenant-b' }, APPS)).toMatch(
    /VPC tenant-b, and it lies in tenant-a/,
  );
  expect(scopeMismatch({ vpc: 'tenant-b' }, { vpc: null, subnet: null })).toMatch(
    /VPC tenant-b, and nothing else says so/,
  );
});
