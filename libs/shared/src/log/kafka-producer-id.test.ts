import { Kafka } from 'kafkajs';
import { keepProducerId, type KeptProducerId } from './kafka-producer-id';

interface Client {
  /** As a producer of kafkajs requests its id when it connects. */
  request(): Promise<unknown>;
}

describe('the id that producers of one partition share', () => {
  let requests = 0;
  const name = Symbol('private:Kafka:createCluster');
  const client = (kept: KeptProducerId, epoch: number | 'no controller' = 0): Client => {
    const kafka = {
      [name]: () => ({
        findControllerBroker: async () => {
          if (epoch === 'no controller') throw new Error(epoch);
          return {
            initProducerId: async () => ({
              producerId: `${(requests += 1)}`,
              producerEpoch: epoch,
            }),
          };
        },
      }),
    };
    kept.use(kafka as unknown as Kafka);
    return {
      request: async () => (await kafka[name]().findControllerBroker()).initProducerId(),
    };
  };
  beforeEach(() => {
    requests = 0;
  });

  it('is of the brokers at first, and has a greater epoch for each that comes after', async () => {
    const kept = keepProducerId();
    expect(await client(kept).request()).toEqual({ producerId: '1', producerEpoch: 0 });
    expect(await client(kept).request()).toEqual({ producerId: '1', producerEpoch: 1 });
    expect(await client(kept).request()).toEqual({ producerId: '1', producerEpoch: 2 });
    expect(requests).toBe(1);
  });

  it('is another one after the last epoch', async () => {
    const kept = keepProducerId();
    await client(kept, 32_766).request();
    expect(await client(kept).request()).toEqual({ producerId: '1', producerEpoch: 32_767 });
    expect(await client(kept).request()).toEqual({ producerId: '2', producerEpoch: 0 });
  });

  it('is requested again when the brokers gave none', async () => {
    const kept = keepProducerId();
    await expect(client(kept, 'no controller').request()).rejects.toThrow('no controller');
    expect(await client(kept).request()).toEqual({ producerId: '1', producerEpoch: 0 });
  });

  it('can be given to a client of the kafkajs that is installed, and to nothing else', () => {
    const kept = keepProducerId();
    expect(() => kept.use(new Kafka({ brokers: ['127.0.0.1:1'] }))).not.toThrow();
    expect(() => kept.use({} as Kafka)).toThrow('has no createCluster');
  });
});
