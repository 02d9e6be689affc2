import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '@ovn-steward/testbed/kafka';
import { makeKeys } from '../../support/keys';
import { type Service, type ServiceName, startService } from '../../support/service';
import type { Rig } from '../rig';

/** The three services on a Kafka of their own. */
export interface Services {
  /** The settings with which a command line reads and decides there. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Ends them. Gives what they logged. */
  stop(): Promise<string>;
}

/**
 * Starts them under the chart's accounts, and waits until they are ready.
 * @param more by dotted path, as flags, of each.
 */
export async function startServices(
  { kubeconfigs, settings }: Rig,
  more: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>,
): Promise<Services> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-services-'));
  const brokers = await startKafka();
  const keys = makeKeys(folder, 'anna');
  const bootstrap = brokers.bootstrap.join(',');
  const { ovnNb, ovnSb, cluster } = settings as {
    readonly cluster: string;
    readonly ovnNb: { readonly remote: string };
    readonly ovnSb: { readonly remote: string };
  };
  const common = {
    cluster,
    'kafka.brokers': bootstrap,
    'kafka.replicationFactor': '1',
    'signing.trustedKeys': keys.trusted,
  };
  const northbound = { 'ovnNb.remote': ovnNb.remote };
  const flags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    collector: {
      ...northbound,
      'ovnSb.remote': ovnSb.remote,
      'kubernetes.kubeconfig': kubeconfigs.collector,
      'lease.enabled': 'never',
    },
    analyzer: {},
    executor: {
      ...northbound,
      'kubernetes.kubeconfig': kubeconfigs.executor,
      'signing.keyFile': keys.executor,
    },
  };
  const running: Service[] = [];
  const stop = async (): Promise<string> => {
    for (const it of running) await it.stop();
    await brokers.stop();
    rmSync(folder, { recursive: true });
    return running.map((it) => `${it.name}: ${it.output().slice(-4000)}`).join('\n');
  };
  try {
    for (const name of ['collector', 'analyzer', 'executor'] as const)
      running.push(
        await startService(name, {
          settings: { ...common, ...flags[name], ...more[name], stateDir: join(folder, name) },
        }),
      );
    for (const it of running) await it.ready();
  } catch (error) {
    await stop();
    throw error;
  }
  return { settings: { cluster, kafka: { brokers: brokers.bootstrap } }, stop };
}
