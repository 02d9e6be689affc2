import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { encodeAction } from '@ovn-steward/contracts/actions/action-codec';
import { encodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import { encodeStatus } from '@ovn-steward/contracts/status/status-codec';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { ACTIONS, CHANGES, CONTROL, PARTITIONS, STATUS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { claimPort, releasePort } from '@ovn-steward/testbed/run/ports';
import { type Service, type ServiceName, startService } from './support/service';
import { STEWARD } from './support/steward';

const CLUSTER = 'berlin-9';
const NONE_OF_MANY = /^No finding matches these options\. Open in all: \d+\.\n$/;
const ENV = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', NO_COLOR: '1' };

/** Of `steward report --output json`. */
interface Report {
  readonly readFrom: string;
  readonly subnetsComplete: boolean;
  readonly findings: readonly Finding[];
  readonly sources: readonly { readonly id: string; readonly complete: boolean }[];
  readonly subnets: readonly unknown[];
}

/** Of `steward subnets --output json`. */
interface KnownSubnets {
  readonly complete: boolean;
  readonly subnets: readonly {
    readonly name: string;
    readonly findings: readonly { readonly id: string }[];
    readonly addresses: readonly { readonly held: string }[];
  }[];
  readonly vpcs: readonly unknown[];
  readonly total: { readonly subnets: number };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end; `until`: interrupts it as soon as it has printed that. */
function steward(args: readonly string[], until?: RegExp): Promise<Ended> {
  const child = spawn(process.execPath, [STEWARD, ...args], {
    env: ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (until?.test(stdout) && !child.killed) child.kill('SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (it: string) => (stderr += it));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The same questions, wherever the answers come from. */
function answersAbout(where: () => readonly string[]): void {
  let findings: readonly Finding[];

  it('lists findings, with a summary first where there are many', async () => {
    const { code, stdout } = await steward(['findings', ...where(), '-o', 'json']);
    findings = JSON.parse(stdout) as Finding[];
    expect([code, findings.length > 20]).toEqual([2, true]);
    const table = await steward(['findings', ...where(), '--no-pager']);
    expect(table.stdout).toMatch(/^\d+ findings: /);
    const leaks = await steward(['findings', ...where(), '--class', 'leak', '-o', 'ndjson']);
    expect(leaks.stdout.trim().split('\n')).toHaveLength(
      findings.filter((it) => it.class === 'leak').length,
    );
  });

  it('explains one by the beginning of its id, and refuses one that is not there', async () => {
    const [first] = findings as [Finding];
    const { code, stdout } = await steward(['explain', first.id.slice(0, 12), ...where()]);
    expect(code).toBe(2);
    expect(stdout).toContain(first.summary);
    const absent = await steward(['explain', 'zzzz', ...where()]);
    expect([absent.code, absent.stdout]).toEqual([1, '']);
    expect(absent.stderr).toMatch(/No finding begins with "zzzz"/);
  });

  it('watches until it is interrupted, and then says what stands', async () => {
    const last = findings.at(-1)!.id.slice(0, 10);
    const { code, stdout } = await steward(['watch', ...where()], new RegExp(last));
    expect(code).toBe(2);
    expect(stdout).toContain(findings[0]!.id.slice(0, 10));
  });

  it('draws subnets again and again, too', async () => {
    const once = await steward(['subnets', ...where(), '--no-pager']);
    const again = await steward(['subnets', ...where(), '-w', '--every', '0.2'], /^apps /m);
    expect(once.stdout).toMatch(/^apps /m);
    expect([again.code, again.stdout.split('\n')]).toEqual([
      once.code,
      expect.arrayContaining(once.stdout.split('\n').filter((it) => it.startsWith('apps '))),
    ]);
  });

  it('takes -A as kubectl does, and not beside -n', async () => {
    const all = await steward(['findings', ...where(), '-A', '-o', 'json']);
    expect(JSON.parse(all.stdout)).toHaveLength(findings.length);
    const both = await steward(['findings', ...where(), '-A', '-n', 'shop']);
    expect([both.code, both.stdout]).toEqual([1, '']);
    expect(both.stderr).toMatch(/'-A, --all-namespaces' cannot be used with .*'-n, --namespace/);
  });

  it('refuses a rule that does not exist, whatever is listed', async () => {
    for (const command of ['findings', 'report', 'subnets']) {
      const { code, stderr } = await steward([command, ...where(), '--rule', 'leaked-ips']);
      expect([command, code]).toEqual([command, 1]);
      expect(stderr).toMatch(/leaked-ip/);
    }
  });

  it('reports what it lists', async () => {
    const { code, stdout } = await steward(['report', ...where(), '-o', 'json']);
    const report = JSON.parse(stdout) as Report;
    expect([code, report.readFrom, report.subnetsComplete]).toEqual([2, 'memory', true]);
    expect(report.findings.map(({ id }) => id).sort()).toEqual(findings.map(({ id }) => id).sort());
    expect(report.sources.map((it) => [it.id, it.complete])).toEqual([
      ['kubernetes', true],
      ['ovn-nb', true],
    ]);
    expect(report.subnets.length).toBeGreaterThan(2);
    const ocsf = await steward(['report', ...where(), '-o', 'ocsf']);
    expect(ocsf.stdout.trim().split('\n')).toHaveLength(findings.length);
    const leaks = findings.filter((it) => it.class === 'leak');
    const chosen = await steward(['report', ...where(), '--class', 'leak', '-o', 'ndjson']);
    expect(chosen.stdout.trim().split('\n')).toHaveLength(leaks.length);
  });

  it('shows the health of subnets, and who holds their addresses', async () => {
    const { stdout } = await steward(['subnets', ...where(), '-o', 'json']);
    const { complete, subnets, vpcs, total } = JSON.parse(stdout) as KnownSubnets;
    expect([complete, subnets.length, vpcs.length > 1]).toEqual([true, total.subnets, true]);
    const inApps = findings.filter((it) => it.scope?.subnet === 'apps').map(({ id }) => id);
    const apps = subnets.find((it) => it.name === 'apps')!;
    expect(apps.findings.map(({ id }) => id).sort()).toEqual(inApps.sort());
    const leaking = await steward(['subnets', ...where(), '--rule', 'leaked-ip', '-o', 'ndjson']);
    expect(leaking.stdout.trim().split('\n').length).toBeLessThan(subnets.length);
    const addresses = await steward(['subnets', 'app', ...where(), '--addresses', '-o', 'ndjson']);
    const ledger = JSON.parse(addresses.stdout) as { subnet: string; addresses: object[] };
    expect([ledger.subnet, ledger.addresses.length]).toEqual([
      'apps',
      Number(apps.addresses[0]!.held),
    ]);
  });
}

describeWith(ovn, 'with a Northbound server', () => {
  describeWith(kafka, 'and Kafka, the command line', () => {
    let folder: string;
    let nb: OvnServer;
    let brokers: KafkaCluster;
    let log: Log;
    const services: Service[] = [];
    const start = async (name: ServiceName): Promise<void> => {
      const settings = {
        cluster: CLUSTER,
        stateDir: join(folder, name),
        'kafka.brokers': brokers.bootstrap.join(','),
        'kafka.replicationFactor': '1',
        ...(name === 'collector'
          ? { 'ovnNb.remote': nb.remote, 'kubernetes.recording': recording('leaky', '.') }
          : {}),
      };
      services.push(await startService(name, { settings }));
    };
    const onKafka = (cluster = CLUSTER): string[] => [
      ...['--kafka-brokers', brokers.bootstrap.join(',')],
      ...['--cluster', cluster],
    ];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-command-line-'));
      [nb, brokers] = await Promise.all([
        startOvnStandalone({ database: recording('leaky', 'nb.db') }),
        startKafka(),
      ]);
      log = openKafkaLog({ brokers: brokers.bootstrap, clientId: 'test', replicationFactor: 1 });
      await start('collector');
      await start('analyzer');
      for (;;) {
        const { stdout } = await steward(['findings', ...onKafka(), '-o', 'ndjson']);
        if (stdout.split('\n').length > 40) return;
        await sleep(500);
      }
    }, 300_000);
    afterAll(async () => {
      await Promise.all(services.map((it) => it.kill()));
      await log?.close();
      await Promise.all([nb?.stop(), brokers?.stop()]);
      rmSync(folder, { recursive: true, force: true });
    });

    answersAbout(onKafka);

    it('of an executor says that its list is not all, and does not report', async () => {
      await start('executor');
      const { url } = services.at(-1)!;
      const onServer = ['--server', url, '--cluster', CLUSTER];
      let list = await steward(['findings', ...onServer, '--vpc', 'none']);
      while (/cannot be reached/.test(list.stderr)) {
        await sleep(500);
        list = await steward(['findings', ...onServer, '--vpc', 'none']);
      }
      expect(list.stderr).not.toBe('');
      expect(list.code).toBe(3);
      expect(list.stdout).toMatch(/^(No findings are known|No finding matches these options)/);
      expect(list.stderr).toMatch(/An executor lists only confirmed findings with a remedy/);
      for (const command of ['report', 'subnets'])
        expect(await steward([command, ...onServer])).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(/does not judge this cluster/),
        });
    });

    it('shows holds and actions as they come to the topics', async () => {
      const cluster = 'watched';
      const partition = partitionOf(cluster, PARTITIONS);
      const every = ['-w', '--every', '0.2'];
      const sample = (name: string): object =>
        JSON.parse(readFileSync(join(__dirname, '../contracts/examples', name), 'utf8')) as object;
      const holds = steward(['holds', ...onKafka(cluster), ...every], /rack is moved/);
      const actions = steward(
        ['actions', ...onKafka(cluster), '-n', 'shop', ...every],
        /act-in-shop/,
      );
      await sleep(3000); // both have drawn what there is: nothing
      const hold = {
        ...sample('control.v1.hold.json'),
        cluster,
        reason: 'rack is moved',
        until: null,
      };
      await log.append(CONTROL, partition, [encodeControl(Control.parse(hold), Date.now())]);
      const done = ActionRecord.parse({ ...sample('action.v1.done.json'), cluster });
      for (const namespace of ['other', 'shop']) {
        const target = { ...done.target, namespace };
        const action = { ...done, target, id: `act-in-${namespace}` };
        await log.append(ACTIONS, partition, [encodeAction(action, Date.now())]);
      }
      const [held, acted] = await Promise.all([holds, actions]);
      expect([held.code, held.stderr]).toEqual([0, '']);
      expect(held.stdout.split('\n')[0]).toBe(`Nothing of cluster ${cluster} is on hold.`);
      expect(acted.stdout).not.toContain('act-in-other');
      expect(acted.stdout.indexOf('act-in-shop')).toBeGreaterThan(0);
    });

    it('distinguishes an empty list from blindness by the status', async () => {
      const publish = async (cluster: string, more: Partial<SourceStatus>): Promise<void> => {
        for (const source of ['ovn-nb', 'kubernetes']) {
          const sample = readFileSync(
            join(__dirname, '../contracts/examples/status.v1.complete.json'),
            'utf8',
          );
          const status = {
            ...(JSON.parse(sample) as SourceStatus),
            cluster,
            source,
            complete: true,
            incomplete: [],
            withheld: [],
            findingsThrough: '0',
            freshThrough: new Date().toISOString(),
            ...more,
          };
          await log.append(STATUS, partitionOf(cluster, PARTITIONS), [
            encodeStatus(status, new Date()),
          ]);
        }
      };
      await publish('healthy', { pairing: 'paired' });
      expect(await steward(['findings', ...onKafka('healthy')])).toEqual({
        code: 0,
        stdout: 'No findings.\n',
        stderr: '',
      });
      await publish('blind', { withheld: [{ rule: 'leaked-ip', reason: 'Pod is not known' }] });
      expect(await steward(['findings', ...onKafka('blind')])).toEqual({
        code: 3,
        stdout: 'No findings are known.\n',
        stderr:
          'Not known: 1 rule reports nothing now: leaked-ip. The first because: Pod is not known.\n',
      });
      const nobody = await steward(['findings', ...onKafka('nobody')]);
      expect(nobody.code).toBe(3);
    });

    it('says over HTTP what it says over Kafka, of what is not known as well', async () => {
      const analyzer = services.find((it) => it.name === 'analyzer')!;
      const onServer = ['--server', analyzer.url, '--cluster', CLUSTER];
      for (const filter of [[], ['--all'], ['--severity', 'critical'], ['--vpc', 'none']]) {
        const http = await steward(['findings', ...onServer, ...filter]);
        const log = await steward(['findings', ...onKafka(), ...filter]);
        const dated = ({ stderr, ...rest }: Ended) => ({
          ...rest,
          stderr: stderr.replaceAll(/[\d.]+ (hours|days) ago/g, 'long ago'),
        });
        expect(dated(http)).toEqual(dated(log));
      }
      const none = await steward(['findings', ...onServer, '--vpc', 'none']);
      expect(none).toEqual({ code: 0, stdout: expect.stringMatching(NONE_OF_MANY), stderr: '' });
      // From here on the analyzer is blind to pods.
      await services.find((it) => it.name === 'collector')!.kill();
      const at = new Date().toISOString();
      const position = { id: 'blind', epoch: 1_000_000, seq: 1, cursor: '', observedAt: at };
      const blind = encodeChange({
        ...position,
        version: 1,
        cluster: CLUSTER,
        source: 'kubernetes',
        stream: 'kubernetes/Pod',
        type: 'unavailable',
        kinds: ['Pod'],
        reason: 'forbidden',
        detail: 'not allowed',
      });
      await log.append(CHANGES, partitionOf(CLUSTER, PARTITIONS), blind);
      let doubtful = none;
      while (doubtful.code === 0) {
        await sleep(500);
        doubtful = await steward(['findings', ...onKafka(), '--vpc', 'none']);
      }
      expect(doubtful).toMatchObject({ code: 3, stdout: expect.stringMatching(NONE_OF_MANY) });
      expect(doubtful.stderr).toMatch(
        /Of kubernetes not known: .*Pod.*forbidden.*rules report nothing now/,
      );
      expect(await steward(['findings', ...onServer, '--vpc', 'none'])).toEqual(doubtful);
      const report = await steward(['report', ...onServer, '--vpc', 'none', '-o', 'ndjson']);
      expect([report.code, report.stdout, report.stderr]).toEqual([3, '', doubtful.stderr]);
    });
  });
});

describe('the command line, of a server', () => {
  let folder: string;
  let pipeline: ChildProcess;
  let port = 0;
  let url = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-server-'));
    port = await claimPort();
    url = `http://127.0.0.1:${port}`;
    const input = [
      '--ovn-nb',
      recording('leaky', 'nb.db'),
      '--kubernetes',
      recording('leaky', '.'),
    ];
    const more = ['--state-dir', folder, '--listen', `127.0.0.1:${port}`, '--output', 'ndjson'];
    pipeline = spawn(process.execPath, [STEWARD, 'run', ...input, ...more], {
      env: ENV,
      stdio: 'ignore',
    });
    for (;;) {
      const { stdout } = await steward(['findings', '--server', url, '-o', 'ndjson']);
      if (stdout.split('\n').length > 40) return;
      if (pipeline.exitCode !== null) throw new Error('the pipeline ended');
      await sleep(500);
    }
  }, 300_000);
  afterAll(async () => {
    const ended = new Promise((resolve) => pipeline.once('exit', resolve));
    if (pipeline.exitCode === null && pipeline.kill()) await ended;
    releasePort(port);
    rmSync(folder, { recursive: true, force: true });
  });

  answersAbout(() => ['--server', url]);

  it('shows a hold from the folder when somebody sets it', async () => {
    const where = ['--state-dir', folder];
    const watching = steward(['holds', ...where, '-w', '--every', '0.2'], /rack is moved/);
    await sleep(3000); // it has drawn what there is: nothing
    expect((await steward(['hold', '--reason', 'rack is moved', ...where])).code).toBe(3); // beside recordings no executor confirms it
    const { code, stdout } = await watching;
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/is on hold\.$/);
  });

  it('says of a recording that it is old, and of an unknown cluster that nothing is known', async () => {
    const old = await steward(['findings', '-s', url, '--rule', 'leaked-ip', '--vpc', 'none']);
    expect(old).toMatchObject({ code: 3, stdout: expect.stringMatching(NONE_OF_MANY) });
    expect(old.stderr).toMatch(/^Not known: .*ovn-nb last reported/);
    const report = await steward(['report', '-s', url, '--cluster', 'nobody']);
    expect(report.code).not.toBe(0);
    const nobody = await steward(['findings', '-s', url, '--cluster', 'nobody']);
    expect(nobody).toMatchObject({ code: 3, stdout: 'No findings are known.\n' });
    expect(nobody.stderr).toMatch(/knows nothing of the cluster nobody/);
  });
});
