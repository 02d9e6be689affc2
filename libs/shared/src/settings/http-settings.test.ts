import { Http } from './http-settings';

const read = (http: object): string[] =>
  Http.safeParse(http).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ??
  [];
const tls = { certificate: 'a', privateKey: 'b' };

test('nobody has to prove anything unless it is set', () => {
  expect(Http.parse({})).toMatchObject({ auth: { by: 'off' }, tls: {}, decisions: {} });
});

test('tokens do not come in over a connection that others read', () => {
  const auth = { by: 'kubernetes' };
  for (const listen of ['127.0.0.1:1', 'localhost:1', '[::1]:1'])
    expect(read({ listen, auth })).toEqual([]);
  for (const listen of ['0.0.0.0:1', '[::]:1', '127.example.org:1', '10.0.0.1:1']) {
    expect(read({ listen, auth })).toEqual([expect.stringMatching(/^tls\.certificate: tokens /)]);
    expect(read({ listen, auth, tls })).toEqual([]);
    expect(read({ listen, auth: { ...auth, plaintext: true } })).toEqual([]);
    expect(read({ listen })).toEqual([]);
  }
});

test('what belongs together comes together', () => {
  expect(read({ tls: { certificate: 'a' } })).toEqual([
    'tls.privateKey: needed beside certificate',
  ]);
  expect(read({ tls: { privateKey: 'a' } })).toEqual(['tls.certificate: needed beside privateKey']);
  expect(read({ auth: { by: 'oidc' } })).toEqual([
    'auth.oidc.issuer: needed with by: oidc',
    'auth.oidc.audience: needed with by: oidc',
  ]);
});

test('an issuer is reached over TLS, and its names are never those of Kubernetes', () => {
  for (const issuer of ['http://a.example', 'a.example', 'https://a.example?x'])
    expect(read({ auth: { oidc: { issuer } } })).toHaveLength(1);
  expect(read({ auth: { oidc: { prefix: '' } } })).toHaveLength(1);
});
