import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import type {
  KubernetesCall,
  MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';

/**
 * Passed before and after every request of an executor: there others move, the process dies, or it
 * stands still.
 */
export type Gate = (moment: string) => Promise<void>;

/**
 * A client of the database whose every request passes the gate twice. `sends` is called with each
 * write before it is under way.
 */
export function gatedNorthbound(
  inner: Northbound,
  gate: Gate,
  sends: (operations: Parameters<Northbound['write']>[0]) => void,
): Northbound {
  const through =
    <A extends unknown[], T>(name: string, call: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      await gate(`before ${name}`);
      const answer = await call(...given);
      await gate(`after ${name}`);
      return answer;
    };
  const write = through('write', inner.write);
  return {
    where: inner.where,
    identity: inner.identity,
    connections: inner.connections,
    schema: inner.schema,
    close: inner.close,
    read: through('read', inner.read),
    write: (operations, signal) => {
      sends(operations);
      return write(operations, signal);
    },
    takeOver: through('taking over', inner.takeOver),
    queueForLock: inner.queueForLock,
  };
}

/**
 * The same of the API server; `watch` sees each call when it is sent, and right before and right
 * after it takes effect.
 */
export function gateKubernetes(
  kubernetes: MemoryKubernetes,
  gate: Gate,
  watch: {
    readonly sends: (call: KubernetesCall) => void;
    readonly before: (call: KubernetesCall) => void;
    readonly after: (call: KubernetesCall) => void;
  },
  fault: MemoryKubernetes['fault'],
): void {
  kubernetes.between = async (call, moment) => {
    if (moment === 'before') watch.sends(call);
    else watch.after(call);
    await gate(`${moment} ${call.verb} ${call.kind}`);
  };
  kubernetes.fault = (call) => {
    const drawn = fault?.(call);
    if (drawn !== 'lose-request' && !(drawn instanceof Failure)) watch.before(call);
    return drawn;
  };
}

/**
 * The log as one process sees it: an append may arrive though it is recorded as failed, or fail
 * before it arrives.
 */
export function gatedLog(
  inner: Log,
  gate: Gate,
  fault: () => 'lose-request' | 'lose-reply' | undefined,
): Log {
  return {
    ensureTopics: (specs) => inner.ensureTopics(specs),
    watermarks: (topic, partition) => inner.watermarks(topic, partition),
    commit: (group, positions) => inner.commit(group, positions),
    committed: (group) => inner.committed(group),
    consume: (options) => inner.consume(options),
    close: () => inner.close(),
    async append(topic, partition, records) {
      await gate('before append');
      const drawn = fault();
      if (drawn === 'lose-request') throw new Failure('log-unavailable', 'the log did not answer');
      const ack = await inner.append(topic, partition, records);
      await gate('after append');
      if (drawn === 'lose-reply') throw new Failure('log-unavailable', 'the log did not answer');
      return ack;
    },
    async read(topic, partition, from, max) {
      await gate('before log read');
      return inner.read(topic, partition, from, max);
    },
  };
}
