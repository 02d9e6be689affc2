import { createLane } from '../lane';
import { until } from '../testing/until';
import { AssignedPartitions, type AssignedPartitionsOptions } from './kafka-consume-places';

const UNREACHABLE = new Error('the ends cannot be read');

/** A reader to which a partition is given, and the request of its ends, which is under way. */
async function asked(): Promise<{
  readonly places: AssignedPartitions;
  readonly broken: unknown[];
  readonly refuse: (error: Error) => void;
}> {
  const broken: unknown[] = [];
  let refuse: ((error: Error) => void) | undefined;
  const watermarks = (): Promise<never> => new Promise((_, reject) => (refuse = reject));
  const note = (error: unknown): void => void broken.push(error);
  const places = new AssignedPartitions({
    connection: { onEvent: () => undefined, watermarks },
    consumer: { pause: () => undefined, resume: () => undefined, seek: () => undefined },
    options: { group: 'g', resumeAt: () => Promise.resolve(7n) },
    lane: createLane(),
    onThrown: note,
    onBroken: note,
  } as unknown as AssignedPartitionsOptions);
  places.assign({ t: [0] }, false);
  await until(() => refuse !== undefined, 'the ends are requested');
  return { places, broken, refuse: refuse! };
}

test('a partition whose ends cannot be read breaks the reader, unless it was revoked meanwhile', async () => {
  const held = await asked();
  held.refuse(UNREACHABLE);
  await until(() => held.broken.length > 0, 'the reader is broken');
  expect(held.broken).toEqual([UNREACHABLE]);

  const revoked = await asked();
  revoked.places.assign({}, true);
  revoked.refuse(UNREACHABLE);
  await revoked.places.giveUp(); // behind the request
  expect(revoked.broken).toEqual([]);
});
