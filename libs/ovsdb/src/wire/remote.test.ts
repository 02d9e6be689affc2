import { formatRemote, parseRemotes } from './remote';

test.each([
  ['tcp:10.0.0.1:6641', [{ transport: 'tcp', host: '10.0.0.1', port: 6641 }]],
  ['ssl:[fd00::1]:6641', [{ transport: 'ssl', host: 'fd00::1', port: 6641 }]],
  ['tcp:[fe80::1%eth0]:1', [{ transport: 'tcp', host: 'fe80::1%eth0', port: 1 }]],
  ['unix:/run/ovn/ovnnb_db.sock', [{ transport: 'unix', path: '/run/ovn/ovnnb_db.sock' }]],
  ['tcp:a.b-c:65535', [{ transport: 'tcp', host: 'a.b-c', port: 65_535 }]],
])('reads %s, and writes it the same', (text, remotes) => {
  expect(parseRemotes(text)).toEqual(remotes);
  expect(parseRemotes(text).map(formatRemote).join(',')).toBe(text);
});

test('reads a list, without spaces and repetitions', () => {
  expect(parseRemotes('tcp:a:1, tcp:b:1 ,tcp:a:1').map(formatRemote)).toEqual([
    'tcp:a:1',
    'tcp:b:1',
  ]);
});

test.each([
  '',
  'tcp:a:1,',
  '10.0.0.1:6641',
  'tcp:10.0.0.1',
  'tcp:fd00::1:6641',
  'tcp:a:0',
  'tcp:a:65536',
  'tcp::1',
  'tcp:a b:1',
  'unix:',
  'ptcp:6641',
  'tcp:[a]:1',
])('refuses %j by its name', (text) => {
  expect(() => parseRemotes(text)).toThrow(
    expect.objectContaining({
      code: 'remote-invalid',
      message: expect.stringContaining(JSON.stringify(text.split(',').at(-1))),
    }),
  );
});
