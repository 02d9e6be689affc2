import { tlsTrouble } from './tls-code';

test.each([
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'handshake'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'handshake'],
  ['ERR_OSSL_EVP_UNSUPPORTED', 'handshake'],
  ['EPROTO', 'handshake'],
  ['EPROTONOSUPPORT', undefined],
  ['ECONNREFUSED', undefined],
  ['', undefined],
])('%s is %s', (code, trouble) => {
  expect(tlsTrouble(code)).toBe(trouble);
});
