import type { Kafka } from 'kafkajs';

/** What a broker answers to InitProducerId; the id is an int64 in decimal digits. */
interface ProducerId {
  readonly producerId: string;
  readonly producerEpoch: number;
}

/** What is used here of kafkajs' connection to a broker, and of its view of the cluster. */
interface Broker {
  initProducerId(request: object): Promise<ProducerId>;
}
interface Cluster {
  findControllerBroker(): Promise<Broker>;
}
type CreateCluster = (options: object) => Cluster;

/** An epoch is an int16; with the last one, another producer id is needed. */
const LAST_EPOCH = 32_767;

/** The producers of one partition that replace each other, which have one id. */
export interface KeptProducerId {
  /**
   * Has the next idempotent producer of this client use the id, with an epoch greater than that of
   * the producer before it. To be called once for each client, before it makes its producer.
   */
  use(kafka: Kafka): void;
}

/**
 * Keeps the producer id, and raises its epoch, as the Java client does for an idempotent producer
 * after an error (KIP-360). A broker that appended a batch of one epoch refuses those of smaller
 * ones (ProducerAppendInfo.java, `checkProducerEpoch`): what a replaced producer sent, and the
 * broker reads late, does not come after what its successor sent. kafkajs has no setting for it:
 * it asks the controller for a new id each time, and that question is answered here.
 */
export function keepProducerId(): KeptProducerId {
  let last: ProducerId | undefined;
  const next = async (request: () => Promise<ProducerId>): Promise<ProducerId> => {
    last =
      last && last.producerEpoch < LAST_EPOCH
        ? { ...last, producerEpoch: last.producerEpoch + 1 }
        : await request();
    return last;
  };
  const answering = (cluster: Cluster): Cluster => {
    const controller = cluster.findControllerBroker.bind(cluster);
    cluster.findControllerBroker = async () => ({
      initProducerId: (request) => next(async () => (await controller()).initProducerId(request)),
    });
    return cluster;
  };
  return {
    use(kafka) {
      const [name, create] = creatorOf(kafka);
      (kafka as unknown as Record<symbol, CreateCluster>)[name] = (options) =>
        answering(create(options));
    },
  };
}

/** How this client of kafkajs (src/index.js) makes what a producer finds its brokers with. */
function creatorOf(kafka: Kafka): [symbol, CreateCluster] {
  const name = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (name === undefined)
    throw new Error('This kafkajs is not of the version in package.json: it has no createCluster.');
  return [name, (kafka as unknown as Record<symbol, CreateCluster>)[name] as CreateCluster];
}
