import type { Consumer } from 'kafkajs';
import { EventEmitter } from 'node:events';
import { commitAs } from './kafka-consume-commit';
import type { ConsumedPlace, AssignedPartitions } from './kafka-consume-places';

const POSITION = { topic: 't', partition: 0, offset: 5n };

describe('committing as a member', () => {
  const place: ConsumedPlace = {
    topic: 't',
    partition: 0,
    position: 5n,
    fromBeginning: false,
    isRequested: true,
    ready: true,
    lost: false,
  };
  const places = (held: ConsumedPlace | undefined): AssignedPartitions =>
    ({ get: () => held }) as unknown as AssignedPartitions;

  /**
   * As kafkajs' consumer: it reports what it published, and settles all the same when it published
   * nothing.
   */
  const consumer = (
    published: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
    }[],
    meanwhile = (): void => undefined,
  ): Consumer => {
    const emitter = new EventEmitter();
    return {
      events: { COMMIT_OFFSETS: 'commit' },
      on: (name: string, listener: (event: unknown) => void) => {
        emitter.on(name, listener);
        return () => emitter.off(name, listener);
      },
      async commitOffsets() {
        meanwhile();
        if (published.length > 0) emitter.emit('commit', { payload: { topics: published } });
      },
    } as unknown as Consumer;
  };
  const [ours, other] = ['5', '6'].map((offset) => ({
    topic: 't',
    partitions: [{ partition: 0, offset }],
  })) as [{ topic: string; partitions: { partition: number; offset: string }[] }, never];

  it('settles when the positions were published', async () => {
    await expect(
      commitAs(consumer([ours]), 'g', places(place), [POSITION]),
    ).resolves.toBeUndefined();
  });

  it('refuses what kafkajs passed over in silence, since its consumer had ended', async () => {
    await expect(commitAs(consumer([]), 'g', places(place), [POSITION])).rejects.toMatchObject({
      code: 'log-partition-lost',
    });
    await expect(commitAs(consumer([other]), 'g', places(place), [POSITION])).rejects.toMatchObject(
      { code: 'log-partition-lost' },
    );
  });

  it('refuses what was published when the partition had been taken, in a later generation', async () => {
    const taken = { ...place };
    await expect(
      commitAs(
        consumer([ours], () => void (taken.lost = true)),
        'g',
        places(taken),
        [POSITION],
      ),
    ).rejects.toMatchObject({ code: 'log-partition-lost' });
  });
});
