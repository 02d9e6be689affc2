import { createPrivateKey } from 'node:crypto';
import { generateKey } from './generate-key';
import { keyIdOf } from './key-id';
import { trustedKeyOf } from './trusted-key';

test('both files of a pair belong together, and no two pairs are alike', () => {
  const made = generateKey({ role: 'approver', name: 'anna', notAfter: '2027-01-01T00:00:00Z' });
  expect(trustedKeyOf(JSON.stringify(made.trusted))).toMatchObject({
    signer: { name: 'anna', role: 'approver' },
    notAfter: Date.parse('2027-01-01T00:00:00Z'),
  });
  expect(keyIdOf(createPrivateKey(made.privateKey))).toBe(made.trusted.id);
  expect(JSON.stringify(made.trusted)).not.toContain('PRIVATE');
  expect(generateKey({ role: 'approver', name: 'anna' }).trusted.id).not.toBe(made.trusted.id);
});
