import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import type { OvnServer } from '@ovn-steward/testbed/ovn';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { steward } from '../testing/cli';
import { ROOT } from '../testing/pages';

const LEAKY = join(ROOT, 'examples/recordings/leaky');

/** What docs/live.md says is sent to an OVN server. */
const READING = [
  'set_db_change_aware',
  'list_dbs',
  'get_schema',
  'monitor',
  'monitor_cond',
  'monitor_cond_since',
  'monitor_cancel',
  'echo',
];

describeWith(ovn, 'what is sent to an OVN server', () => {
  let server: OvnServer;
  let between: Server;
  let sent = '';
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-only-reads-'));
    server = await startOvnStandalone({ database: recording('leaky', 'nb.db') });
    const [, host, port] = /^tcp:(.+):(\d+)$/.exec(server.remote)!;
    between = createServer((client) => {
      const upstream = connect(Number(port), host);
      client.on('data', (bytes) => {
        sent += bytes.toString('utf8');
      });
      client.pipe(upstream).pipe(client);
      for (const it of [client, upstream])
        it.on('error', () => [client, upstream].forEach((one) => one.destroy()));
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => between.close(resolve));
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    sent = '';
  });

  test.each([
    ['audit', () => []],
    ['explain', () => []],
    ['run', () => ['--state-dir', join(folder, 'state'), '--until-quiet', '7']],
  ])('by steward %s reads', async (command, more) => {
    const where = [
      '--ovn-nb',
      `tcp:127.0.0.1:${(between.address() as AddressInfo).port}`,
      '--kubernetes',
      LEAKY,
    ];
    const { code, stderr } = await steward([
      command,
      ...(command === 'explain' ? ['cc3a3fad1d'] : []),
      ...where,
      ...more(),
    ]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const methods = [...new Set([...sent.matchAll(/"method":"(\w+)"/g)].map((it) => it[1]!))];
    expect(methods.filter((it) => !READING.includes(it))).toEqual([]);
    expect(methods.some((it) => it.startsWith('monitor'))).toBe(true);
  });
});
