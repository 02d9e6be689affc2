import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Control } from '@ovn-steward/contracts/control/control';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { openServer } from './steward-server';

const HOLD: Control = {
  version: 1,
  id: 'ours',
  type: 'hold',
  cluster: 'berlin',
  by: 'anna',
  at: '2026-01-02T03:04:05.000Z',
  scope: {},
  reason: 'a change is under way',
  until: null,
};

let folder: string;
let server: Server;
let requests: string[];
/** What the server answers to whatever is asked, and with which status. */
let answered: string;
let status: number;
let url: string;
beforeEach(async () => {
  requests = [];
  status = 200;
  folder = mkdtempSync(join(tmpdir(), 'steward-server-'));
  writeFileSync(join(folder, 'token'), 'a token');
  server = createServer(({ method, url: path }, response) => {
    requests.push(`${method} ${path}`);
    response.writeHead(status).end(answered);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});
const opened = () =>
  openServer(url, { tokenFile: join(folder, 'token') }, Settings.parse({}).kubernetes);

test.each([
  ['a page of something else', '<html>'],
  ['nothing', ''],
  ['a document without an id', '{"status":"ok"}'],
])('an answer to a decision that is %s names the server', async (_, body) => {
  answered = body;
  await expect((await opened()).decide([HOLD, HOLD])).rejects.toMatchObject({
    code: 'source-broken',
    message: expect.stringMatching(
      new RegExp(
        `^${url} took a decision \\(hold\\) and did not answer with its id.*may have been`,
      ),
    ),
  });
  expect(requests).toEqual(['POST /decisions']);
});

test('who read a decision is asked by the id that the server gave to it', async () => {
  const steward = await opened();
  answered = JSON.stringify({ ...HOLD, id: 'theirs' });
  expect(await steward.decide([HOLD])).toBe('server');
  answered = '{"all":true,"counts":true,"heard":[],"unheard":[]}';
  await steward.heard(HOLD.id);
  expect(requests).toEqual(['POST /decisions', 'GET /decisions/theirs/heard']);
});

test.each(['actions', 'standing'] as const)(
  'a server that does not serve them, such as an analyzer, has not an empty list of them: %s',
  async (what) => {
    status = 404;
    answered = JSON.stringify({ statusCode: 404, message: 'Cannot GET' });
    await expect((await opened())[what]()).rejects.toMatchObject({
      code: 'input-not-found',
      message: expect.stringMatching(
        new RegExp(`^${url} does not serve /\\w+, .*: name an executor or a steward run`),
      ),
    });
  },
);
