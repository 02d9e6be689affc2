import { Failure } from '@ovn-steward/shared/errors';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { watchDenials } from './watch-denials';

type Samples = ReturnType<typeof memoryKubernetes>['samples'];

/** What it reports while the metrics are read five times; `before` each read, counted from 0. */
async function reportedInFive(
  kubernetes: ReturnType<typeof memoryKubernetes>,
  before: (read: number) => void = () => undefined,
): Promise<[reads: number, errors: string[]]> {
  const errors: string[] = [];
  const stop = new AbortController();
  let reads = 0;
  const samples: Samples = async (...of) => {
    const read = reads++;
    if (reads === 5) stop.abort();
    before(read);
    return kubernetes.samples(...of);
  };
  await watchDenials(
    {
      kubernetes: { ...kubernetes, samples },
      everyMs: 1,
      onEvent: (it) => it.type === 'guard-failed' && errors.push(it.error),
    },
    stop.signal,
  );
  return [reads, errors];
}

test('without the right to read the metrics it says so once, and goes on', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.forbidden.add('samples /metrics');
  expect(await reportedInFive(kubernetes)).toEqual([
    5,
    [
      expect.stringMatching(
        /^What our policies refused is not known: We may not samples \/metrics/,
      ),
    ],
  ]);
});

test('a count that cannot be read is said once, and again when it could be read meanwhile', async () => {
  const fails = [true, true, false, true, true];
  const reported = await reportedInFive(memoryKubernetes(), (read) => {
    if (fails[read]) throw new Failure('source-broken', 'something that is no text');
  });
  const said = 'What our policies refused is not known: something that is no text';
  expect(reported).toEqual([5, [said, said]]);
});
