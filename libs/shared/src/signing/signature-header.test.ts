import { readSignature, signatureText } from './signature-header';

const SIGNATURE = {
  keyId: 'ab'.repeat(16),
  at: 1_700_000_000_000,
  signature: `${'A'.repeat(86)}==`,
};
const text = signatureText(SIGNATURE);

test('what is written is read again', () => {
  expect(readSignature(text)).toEqual(SIGNATURE);
});

test.each([
  ['nothing', ''],
  ['another version', text.replace('v=1', 'v=2')],
  ['another algorithm', text.replace('ed25519', 'none')],
  ['a key id of another length', text.replace('key=ab', 'key=')],
  ['a time that is no whole number', text.replace('at=1', 'at=1e')],
  ['a time before time', text.replace('at=', 'at=-')],
  ['a time with zeros in front', text.replace('at=', 'at=0')],
  ['a time beyond what numbers can distinguish', text.replace('at=1', 'at=1111111')],
  ['a short signature', text.replace('sig=A', 'sig=')],
  ['something before it', `x${text}`],
  ['something behind it', `${text};more`],
  ['a line end behind it', `${text}\n`],
])('%s is no signature', (_, other) => {
  expect(readSignature(other)).toBeUndefined();
});
