import { reasonOf, systemCode } from './system-error';

test('takes the code and the reason from what has them', () => {
  expect([
    systemCode(Object.assign(new Error('no'), { code: 'ENOENT' })),
    systemCode(new Error('no')),
    systemCode('no'),
    systemCode(null),
  ]).toEqual(['ENOENT', undefined, undefined, undefined]);
  expect([reasonOf(new Error('no')), reasonOf('no'), reasonOf(null)]).toEqual(['no', 'no', 'null']);
});
