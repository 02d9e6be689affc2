import { concealing } from './concealing';

test.each([
  'token',
  'sasl',
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'saslPassword',
  'client_secret',
  'privateKey',
  'private_key',
])('the field %s is hidden, whatever it holds', (name) => {
  const { shown } = concealing();
  expect(shown({ [name]: 'x', beside: 'y' })).toEqual({ [name]: '***', beside: 'y' });
  expect(shown([{ within: { [name]: { deep: 1 } } }])).toEqual([{ within: { [name]: '***' } }]);
});

test('a field that only sounds like a secret is shown', () => {
  const { shown } = concealing();
  const fields = { key: 'a', tokens: 3, keyId: 'b', secrets: 2 };
  expect(shown(fields)).toEqual(fields);
});

test('a secret is hidden wherever it occurs, every time, in values and in names', () => {
  const { conceal, shown } = concealing();
  conceal('hunter2');
  expect(shown({ text: 'hunter2 and hunter2, then hunter2' })).toEqual({
    text: '*** and ***, then ***',
  });
  expect(shown({ hunter2: 1 })).toEqual({ '***': 1 });
  const failed = shown(new Error('hunter2 twice: hunter2')) as { message: string; stack: string };
  expect(failed.message).toBe('*** twice: ***');
  expect(failed.stack).not.toContain('hunter2');
});

test('of two secrets each is hidden, and an empty one hides nothing', () => {
  const { conceal, shown } = concealing();
  for (const secret of ['one', 'two', '']) conceal(secret);
  expect(shown('one two one two three')).toBe('*** *** *** *** three');
});
