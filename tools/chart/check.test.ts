import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../images/repository';

const CHECK = join(ROOT, 'deploy/helm/ovn-steward/files/check.cjs');

/**
 * Runs the check against services that answer /readyz with these statuses, one after another, the
 * last for ever.
 */
async function checked(
  services: readonly (readonly number[])[],
  seconds: number,
): Promise<{ code: unknown; output: string; asked: readonly string[] }> {
  const requested: string[] = [];
  const servers = await Promise.all(
    services.map(async (statuses) => {
      const left = [...statuses];
      const server = createServer((request, response) => {
        requested.push(`${request.method} ${request.url}`);
        const status = left.length > 1 ? left.shift()! : left[0]!;
        response.writeHead(status).end(`{"ready":${status === 200},"missing":["kubernetes"]}`);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  try {
    const targets = servers.map((it) => `127.0.0.1:${(it.address() as AddressInfo).port}`);
    const check = spawn(process.execPath, [CHECK, ...targets], {
      env: { CHECK_SECONDS: String(seconds) },
    });
    let output = '';
    for (const stream of [check.stdout, check.stderr])
      stream.on('data', (text: Buffer) => (output += String(text)));
    const [code] = (await once(check, 'close')) as [number];
    return { code, output, asked: requested };
  } finally {
    for (const it of servers) it.close();
  }
}

test('is content when all are ready, and only reads', async () => {
  const { code, output, asked: requested } = await checked([[200], [200]], 30);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^ready: /) });
  expect(requested).toEqual(['GET /readyz', 'GET /readyz']);
});

test('waits for one that is not ready yet', async () => {
  expect(await checked([[503, 200], [200]], 30)).toMatchObject({ code: 0 });
});

test('says what is missing when the time is over', async () => {
  const { code, output } = await checked([[200], [503]], 0);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('"kubernetes"') });
});

test('says so when nobody listens', async () => {
  const check = spawn(process.execPath, [CHECK, '127.0.0.1:1'], { env: { CHECK_SECONDS: '0' } });
  let output = '';
  check.stderr.on('data', (text: Buffer) => (output += String(text)));
  expect(await once(check, 'close')).toEqual([1, null]);
  expect(output).toContain('127.0.0.1:1: ');
});
