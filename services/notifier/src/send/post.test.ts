import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSink, type SinkServer } from '../testing/sink-server';
import { post } from './post';

let sink: SinkServer;
let folder: string;
beforeEach(async () => {
  sink = await startSink();
  folder = mkdtempSync(join(tmpdir(), 'post-'));
});
afterEach(() => {
  sink.close();
  rmSync(folder, { recursive: true });
});
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const send = (settings: object = {}, path = '') =>
  post({ url: sink.url, timeout: 2000, ...settings } as never, path, {
    id: 'n1',
    body: { a: 1 },
    signal: new AbortController().signal,
  });

test('sends JSON under its id, to the path of the type, with the token as it is now', async () => {
  const tokenFile = file('token', 'first\n');
  const settings = { url: undefined, urlFile: file('url', `${sink.url}/hook/\n`), tokenFile };
  expect(await send(settings, '/api')).toEqual({ delivered: true });
  file('token', 'second');
  await send(settings);
  expect(sink.received.map((it) => [it.path, it.headers.authorization, it.body])).toEqual([
    ['/hook/api', 'Bearer first', { a: 1 }],
    ['/hook/', 'Bearer second', { a: 1 }],
  ]);
  expect(sink.received[0]!.headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': 'n1',
  });
});

test.each([
  [400, {}, { ofSink: false }],
  [404, {}, { ofSink: false }],
  [408, {}, { ofSink: true }],
  [429, { 'retry-after': '7' }, { ofSink: true, retryAfterMs: 7000 }],
  [503, { 'retry-after': '99999999' }, { ofSink: true, retryAfterMs: 600_000 }],
  [500, { 'retry-after': 'Fri, 31 Dec 2027 23:59:59 GMT' }, { ofSink: true }],
])('an answer of %i with %j', async (status, headers, outcome) => {
  sink.answer = { status, headers };
  expect(await send()).toEqual({ delivered: false, why: `it answered ${status}`, ...outcome });
});

test('goes nowhere else: a redirection is a failure, and the token stays here', async () => {
  const elsewhere = await startSink();
  sink.answer = { status: 307, headers: { location: elsewhere.url } };
  expect(await send({ tokenFile: file('token', 't') })).toMatchObject({ delivered: false });
  expect(elsewhere.received).toEqual([]);
  elsewhere.close();
});

test('waits no longer than the time-out, and says why it was not taken without what is secret', async () => {
  sink.answer = undefined;
  expect(await send({ timeout: 50 })).toMatchObject({
    delivered: false,
    ofSink: true,
    why: expect.stringMatching(/timeout/),
  });
  const urlFile = file('url', 'http://[secret-path');
  const gone = await startSink();
  gone.close();
  const outcomes = [
    await send({ url: `${gone.url}/secret-path` }),
    await send({ url: undefined, urlFile }),
    await send({ url: undefined, urlFile: join(folder, 'absent') }),
    await send({ tokenFile: file('token', 'secret-path\nsecond line') }),
  ];
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ delivered: false, ofSink: true });
    expect(JSON.stringify(outcome)).not.toContain('secret-path');
  }
  expect(outcomes.map((it) => 'why' in it && it.why)).toEqual([
    expect.stringMatching(/ECONNREFUSED/),
    `what ${urlFile} holds is no URL`,
    expect.stringContaining('cannot be read'),
    expect.stringContaining('check its URL and its token'),
  ]);
});
