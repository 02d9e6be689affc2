import { addressOf, listenFailure, probesBeside } from './address';

test.each([
  ['127.0.0.1:9470', { host: '127.0.0.1', port: 9470 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
])('%s', (listen, address) => expect(addressOf(listen)).toEqual(address));

test('a port that cannot be is refused', () =>
  expect(() => addressOf('127.0.0.1:65536')).toThrow(
    expect.objectContaining({ code: 'config-invalid' }),
  ));

test.each([
  ['EADDRINUSE', /^Cannot listen on 127\.0\.0\.1:9470: another process has it\. Choose/],
  ['ESOMETHING', /^Cannot listen on 127\.0\.0\.1:9470: ESOMETHING\. Choose/],
])('%s is reported in one sentence and is final', (code, sentence) => {
  expect(
    listenFailure('127.0.0.1:9470', Object.assign(new Error('listen'), { code })),
  ).toMatchObject({
    code: 'listen-failed',
    retry: 'never',
    message: expect.stringMatching(sentence),
  });
});

test.each([
  ['127.0.0.1:9470', '127.0.0.1:9480'],
  ['[::1]:9472', '[::1]:9482'],
  ['0.0.0.0:0', '0.0.0.0:0'],
])('beside %s probes are answered on %s', (listen, probes) =>
  expect(probesBeside(listen)).toBe(probes),
);

test('a port for probes that cannot be is reported by its own name', () =>
  expect(() => addressOf(probesBeside('127.0.0.1:65530'), 'http.probes')).toThrow(
    'http.probes: 127.0.0.1:65540 has no such port',
  ));
