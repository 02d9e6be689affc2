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
/** Another status of a path. */
const answers = new Map<string, number>();
let url: string;
beforeEach(async () => {
  requests = [];
  status = 200;
  answers.clear();
  folder = mkdtempSync(join(tmpdir(), 'steward-server-'));
  writeFileSync(join(folder, 'token'), 'a token');
  server = createServer(({ method, url: path }, response) => {
    requests.push(`${method} ${path}`);
    response.writeHead(answers.get(path!) ?? status).end(answered);
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

test('of a cluster that a judging server does not know nothing is known: no other list is read', async () => {
  const known = (await opened()).knowledge('elsewhere');
  answers.set('/findings?limit=1', 200);
  status = 404;
  answered = '{"statusCode":404,"message":"Nothing is known of the cluster elsewhere here"}';
  expect([await known.sources(), await known.findings()]).toEqual([[], []]);
  expect(requests.join()).not.toContain('/proposals');
  for (const read of [known.document(), known.subnets()])
    await expect(read).rejects.toMatchObject({
      code: 'input-not-found',
      message: expect.stringContaining(`${url} knows nothing of the cluster elsewhere: check`),
    });
});

test('a file without a token is refused, and not sent', async () => {
  writeFileSync(join(folder, 'token'), ' \n');
  await expect(opened()).rejects.toMatchObject({
    code: 'input-not-found',
    message: expect.stringMatching(/token, is empty: kubectl create token/),
  });
});

test('a server that hangs up on plain HTTP may speak TLS', async () => {
  const steward = await opened();
  server.removeAllListeners('request').on('request', ({ socket }) => socket.destroy());
  await expect(steward.standing()).rejects.toMatchObject({
    code: 'source-unreachable',
    message: expect.stringContaining('write https:// if the server speaks TLS'),
  });
});
