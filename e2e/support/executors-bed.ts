import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { actionIn } from '@ovn-steward/contracts/actions/action-codec';
import { findingEvent } from '@ovn-steward/contracts/findings/finding-event';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { ACTIONS, FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { startKafka } from '@ovn-steward/testbed/kafka';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnRaft, startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import { makeKeys } from './keys';
import { confirmedFindings, plantPorts } from './leaked-ports';
import { type NorthboundWitness, witnessNorthbound } from './northbound-witness';
import { type Service, startService } from './service';
import { STEWARD } from './steward';
import { readTopic } from './topic';

const CLUSTER = 'executors';
const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const WIDE = ['rule', 'subnet', 'vpc', 'cluster'].flatMap((scope) =>
  [
    ['least', '1000000'],
    ['share', '1'],
    ['most', '1000000'],
  ].map(([name, value]) => [`executor.ceilings.${scope}.${name}`, value!] as const),
);

/** Two executors of one cluster that may remove what they like, and the servers they do it on. */
export interface ExecutorsBed {
  readonly nb: OvnRaft;
  readonly witness: NorthboundWitness;
  readonly executors: readonly [Service, Service];
  /**
   * Plants leaked ports, and has it said on the topic that they are confirmed.
   * @returns their uuids.
   */
  leak(prefix: string, count: number): Promise<readonly string[]>;
  /** The executor that claims something next. */
  acting(): Promise<Service>;
  /**
   * What stands on the topic about these ports: of each action the last record, as any subscriber
   * reads it.
   */
  actions(ports: readonly string[]): Promise<readonly ActionRecord[]>;
  /** `steward <command> …` of a person, on Kafka. Settles when it has ended well. */
  steward(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

export async function startExecutorsBed(): Promise<ExecutorsBed> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-executors-'));
  const ending: (() => Promise<unknown>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ];
  const stop = async (): Promise<void> => {
    for (const end of ending.reverse()) await end();
  };
  const ended = <T extends { stop(): Promise<unknown> }>(server: T): T => {
    ending.push(() => server.stop());
    return server;
  };
  try {
    const nb = ended(await startOvnRaft({ database: recording('clean', 'nb.db') }));
    const kubernetes = ended(
      await startKubernetes({ recording: recording('clean', 'kubernetes.json') }),
    );
    const kafka = ended(await startKafka());
    const servers = { northbound: nb.remotes.join(','), kubeconfig: kubernetes.kubeconfig };
    const witness = ended(witnessNorthbound(nb));
    const log = openKafkaLog({
      brokers: kafka.bootstrap,
      clientId: 'e2e-analyzer',
      replicationFactor: 1,
    });
    ending.push(() => log.close());
    const keys = makeKeys(join(folder, 'keys'), 'anna');
    const executor = async (name: string): Promise<Service> => {
      const service = await startService('executor', {
        settings: {
          cluster: CLUSTER,
          stateDir: join(folder, name),
          'kafka.brokers': kafka.bootstrap.join(','),
          'kafka.replicationFactor': '1',
          'signing.keyFile': keys.executor,
          'signing.trustedKeys': keys.trusted,
          'ovnNb.remote': servers.northbound,
          'kubernetes.kubeconfig': servers.kubeconfig,
          'executor.mode': 'enforce',
          'executor.rate.perSecond': '20',
          'executor.rate.burst': '20',
          'executor.yield.afterLease': '0s',
          ...Object.fromEntries(WIDE),
        },
      });
      ending.push(() => service.kill());
      return service;
    };
    const executors = [await executor('one'), await executor('two')] as const;
    await Promise.all(executors.map((it) => it.ready()));
    return {
      nb,
      witness,
      executors,
      stop,
      async leak(prefix, count) {
        const ports = await witness.withSession((session) => plantPorts(session, prefix, count));
        const findings = await confirmedFindings(servers, CLUSTER, ports);
        await log.append(
          FINDINGS,
          PARTITION,
          findings.map((finding) => ({
            key: finding.id,
            value: JSON.stringify(findingEvent(finding)),
            timestamp: Date.now(),
          })),
        );
        return ports;
      },
      acting: () => actingOf(executors),
      actions: async (ports) => {
        const wanted = new Set(ports);
        const last = new Map<string, ActionRecord>();
        for (const { key, value } of await readTopic(kafka.bootstrap, ACTIONS))
          last.set(key, actionIn(value!));
        return [...last.values()].filter((it) => wanted.has(it.target.uid));
      },
      async steward(...args) {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [STEWARD, ...args, '--cluster', CLUSTER, '--kafka-brokers', kafka.bootstrap.join(',')],
          {
            env: {
              PATH: process.env['PATH'] ?? '',
              HOME: '/nonexistent',
              STEWARD_SIGNING__KEY_FILE: keys.approver,
              STEWARD_SIGNING__TRUSTED_KEYS: keys.trusted,
            },
          },
        );
        return stdout;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const claimsOf = (it: Service): number => it.output().split('"message":"action claimed"').length;

async function actingOf(executors: readonly Service[]): Promise<Service> {
  const before = executors.map(claimsOf);
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(10)) {
    const acting = executors.find((it, index) => claimsOf(it) > before[index]!);
    if (acting !== undefined) return acting;
  }
  throw new Error(
    `no executor claims anything:\n${executors.map((it) => it.output().slice(-2000)).join('\n')}`,
  );
}
