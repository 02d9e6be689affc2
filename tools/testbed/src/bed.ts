import { startKafka } from './kafka';
import { startKubernetes } from './kubernetes';
import { startOvnStandalone } from './ovn';
import { recording, type RecordingName } from './recordings';

export interface Bed {
  /** Where the servers are. */
  readonly northbound: string;
  readonly southbound: string;
  readonly kubeconfig: string;
  readonly kubernetes: string;
  /** `host:port` of the brokers. */
  readonly brokers: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts OVN (Northbound and Southbound) and Kubernetes with a recorded cluster in place, and a
 * Kafka broker: something real to try the tools on.
 */
export async function startBed(name: RecordingName): Promise<Bed> {
  const running: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(server: T): T => {
    running.push(server);
    return server;
  };
  const stop = async (): Promise<void> =>
    void (await Promise.all(running.map((server) => server.stop())));
  try {
    const northbound = keep(await startOvnStandalone({ database: recording(name, 'nb.db') }));
    const southbound = keep(
      await startOvnStandalone({ database: recording(name, 'sb.db'), schema: 'sb' }),
    );
    const kubernetes = keep(
      await startKubernetes({ recording: recording(name, 'kubernetes.json') }),
    );
    const kafka = keep(await startKafka());
    return {
      northbound: northbound.remote,
      southbound: southbound.remote,
      kubeconfig: kubernetes.kubeconfig,
      kubernetes: kubernetes.url,
      brokers: kafka.bootstrap,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
