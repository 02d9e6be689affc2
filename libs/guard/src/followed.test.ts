import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { followed } from './followed';

test('where every stream is cut at once, the kind is followed anew a second later', async () => {
  const stop = new AbortController();
  let [streams, lists] = [0, 0];
  const cut = async function* () {
    streams += 1;
    await sleep(1);
    yield [{ is: 'all' as const, objects: [] }];
  };
  const vpcs = followed(
    {
      kubernetes: { follow: cut },
      kind: 'Vpc',
      onChange: () => undefined,
      onAll: () => (lists += 1),
      onFailure: () => undefined,
      backOff: () => 1,
    },
    stop.signal,
  );
  try {
    await sleep(500);
    expect([streams, lists]).toEqual([1, 1]);
    await waitFor(async () => streams === 2, { what: 'it to be followed again', timeoutMs: 5000 });
  } finally {
    stop.abort();
    await vpcs.ended;
  }
});
