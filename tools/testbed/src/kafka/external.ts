import type { KafkaCluster, KafkaOptions } from './cluster';

/**
 * The brokers given by STEWARD_TEST_KAFKA (`host:port,host:port`), for callers that only need some
 * broker to talk to. They are somebody's: topics may be made there, the servers are not touched.
 */
export function externalKafka(options: KafkaOptions): KafkaCluster | undefined {
  const brokers = process.env['STEWARD_TEST_KAFKA'];
  if (brokers === undefined || brokers === '' || Object.keys(options).length > 0) return undefined;
  const bootstrap = brokers.split(',').map((each) => each.trim());
  const refuse = (what: string) => (): never => {
    throw new Error(
      `cannot ${what}: the brokers are not ours (STEWARD_TEST_KAFKA=${brokers}); unset that variable for this test`,
    );
  };
  return {
    bootstrap,
    nodes: [],
    allow: refuse('change access control lists'),
    stop: () => Promise.resolve(),
  };
}
