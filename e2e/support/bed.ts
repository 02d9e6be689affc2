import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnRaft, startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import { type Service, type ServiceName, type ServiceOptions, startService } from './service';
import type { Judged } from './verdict';

/** Everything a platform team would run, on one machine: the three services over real servers. */
export interface Bed {
  readonly judged: Judged;
  readonly nb: OvnRaft;
  readonly kubernetes: KubernetesServer;
  readonly kafka: KafkaCluster;
  /** One of each. */
  readonly collector: Service;
  readonly analyzer: Service;
  readonly executor: Service;
  /** A further one, with a state directory of its own. The caller stops it. */
  another(name: ServiceName, options?: Partial<ServiceOptions>): Promise<Service>;
  stop(): Promise<void>;
}

const CLUSTER = 'e2e';

/** @param root the built checkout whose services are started first; this one by default. */
export async function startBed({ root }: Pick<ServiceOptions, 'root'> = {}): Promise<Bed> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-e2e-'));
  const ending: (() => Promise<unknown>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ];
  const stop = async (): Promise<void> => {
    for (let end = ending.pop(); end !== undefined; end = ending.pop()) await end();
  };
  try {
    const stopped = async <T extends { stop(): Promise<unknown> }>(server: Promise<T>) => {
      const running = await server;
      ending.push(() => running.stop());
      return running;
    };
    const starting = [
      stopped(startOvnRaft({ database: recording('clean', 'nb.db') })),
      stopped(startKubernetes({ recording: recording('clean', 'kubernetes.json') })),
      stopped(startKafka()),
    ] as const;
    // Where one does not start, the others are stopped once they have.
    await Promise.allSettled(starting);
    const [nb, kubernetes, kafka] = await Promise.all(starting);
    const northbound = nb.remotes.join(',');
    let states = 0;
    const another = (name: ServiceName, options: Partial<ServiceOptions> = {}): Promise<Service> =>
      startService(name, {
        ...options,
        settings: {
          cluster: CLUSTER,
          stateDir: join(folder, `${name}-${(states += 1)}`),
          'kafka.brokers': kafka.bootstrap.join(','),
          'kafka.replicationFactor': '1',
          'log.level': 'debug',
          ...(name === 'collector' && {
            'ovnNb.remote': northbound,
            'kubernetes.kubeconfig': kubernetes.kubeconfig,
            'lease.enabled': 'always',
            'lease.namespace': 'kube-system',
            'lease.duration': '6s',
          }),
          ...options.settings,
        },
      });
    const service = async (name: ServiceName): Promise<Service> => {
      const started = await another(name, { ...(root !== undefined && { root }) });
      ending.push(() => started.kill());
      return started;
    };
    const collector = await service('collector');
    const analyzer = await service('analyzer');
    const executor = await service('executor');
    await Promise.all([collector, analyzer, executor].map((it) => it.ready()));
    return {
      judged: {
        northbound,
        kubeconfig: kubernetes.kubeconfig,
        bootstrap: kafka.bootstrap,
        cluster: CLUSTER,
      },
      nb,
      kubernetes,
      kafka,
      collector,
      analyzer,
      executor,
      another,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
