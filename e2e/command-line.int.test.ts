import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import { encodeStatus } from '@ovn-steward/contracts/status/status-codec';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS, STATUS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { claimPort, releasePort } from '@ovn-steward/testbed/run/ports';
import { type Service, type ServiceName, startService } from './support/service';
import { STEWARD } from './support/steward';

const CLUSTER = 'berlin-9';
const ENV = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', NO_COLOR: '1' };

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
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (it: string) => {
    stdout += it;
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
  }, 120_000);

  it('explains one by the beginning of its id, and refuses one that is not there', async () => {
    const [first] = findings as [Finding];
    const { code, stdout } = await steward(['explain', first.id.slice(0, 12), ...where()]);
    expect(code).toBe(2);
    expect(stdout).toContain(first.summary);
    const absent = await steward(['explain', 'zzzz', ...where()]);
    expect([absent.code, absent.stdout]).toEqual([1, '']);
    expect(absent.stderr).toMatch(/No finding begins with "zzzz"/);
  }, 120_000);

  it('watches until it is interrupted, and then says what stands', async () => {
    const last = findings.at(-1)!.id.slice(0, 10);
    const { code, stdout } = await steward(['watch', ...where()], new RegExp(last));
    expect(code).toBe(2);
    expect(stdout).toContain(findings[0]!.id.slice(0, 10));
  }, 120_000);

  it('refuses a rule that does not exist', async () => {
    const { code, stderr } = await steward(['findings', ...where(), '--rule', 'leaked-ips']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/leaked-ip/);
  }, 120_000);
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

    it('reports, and shows subnets, as they are on the log', async () => {
      const report = await steward(['report', ...onKafka(), '-o', 'json']);
      expect(report.code).toBe(2);
      const { readFrom, findings } = JSON.parse(report.stdout) as {
        readFrom: string;
        findings: unknown[];
      };
      expect([readFrom, findings.length > 20]).toEqual(['memory', true]);
      const subnets = await steward(['subnets', ...onKafka(), '-o', 'json']);
      expect((JSON.parse(subnets.stdout) as { subnets: unknown[] }).subnets.length).toBeGreaterThan(
        2,
      );
      const ocsf = await steward(['report', ...onKafka(), '-o', 'ocsf']);
      expect(ocsf.stdout.trim().split('\n')).toHaveLength(findings.length);
    }, 120_000);

    it('tells an empty list from blindness by the status', async () => {
      const publish = async (cluster: string, more: Partial<SourceStatus>): Promise<void> => {
        for (const source of ['ovn-nb', 'kubernetes']) {
          const sample = readFileSync(
            join(__dirname, '../contracts/examples/status.v1.complete.json'),
            'utf8',
          );
          const status = {
            ...(JSON.parse(sample) as SourceStatus),
            ...{ cluster, source, complete: true, incomplete: [], withheld: [] },
            ...{ findingsThrough: '0', freshThrough: new Date().toISOString() },
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
    }, 120_000);
  });
});

describe('the command line, of a server', () => {
  let folder: string;
  let pipeline: ChildProcess;
  let [port, url] = [0, ''];
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
});
