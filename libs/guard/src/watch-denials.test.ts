import { Failure } from '@ovn-steward/shared/errors';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { watchDenials } from './watch-denials';

test('without the right to read the metrics it says so once, and goes on', async () => {
  const [kubernetes, errors, stop] = [memoryKubernetes(), [] as string[], new AbortController()];
  kubernetes.forbidden.add('samples /metrics');
  let reads = 0;
  const samples: typeof kubernetes.samples = (...of) => {
    reads += 1;
    if (reads === 5) stop.abort();
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
  expect([reads, errors]).toEqual([
    5,
    [
      expect.stringMatching(
        /^What our policies refused is not known: We may not samples \/metrics/,
      ),
    ],
  ]);
});

test('a count that cannot be read is said once, and again when it could be read meanwhile', async () => {
  const [kubernetes, errors, stop] = [memoryKubernetes(), [] as string[], new AbortController()];
  const fails = [true, true, false, true, true];
  let reads = 0;
  const samples: typeof kubernetes.samples = async (...of) => {
    const failing = fails[reads++];
    if (reads === fails.length) stop.abort();
    if (failing) throw new Failure('source-broken', 'something that is no text');
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
  const said = 'What our policies refused is not known: something that is no text';
  expect([reads, errors]).toEqual([5, [said, said]]);
});
