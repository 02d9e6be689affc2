import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import type { FollowEvent, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { KubeFailure } from '@ovn-steward/systems/kubernetes/kube-failure';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { followed } from './followed';

test('where every stream is cut at once, the kind is followed again a second later', async () => {
  const stop = new AbortController();
  let streams = 0;
  let lists = 0;
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

test('a server that says when to come back is not asked before, whatever the back-off', async () => {
  const stop = new AbortController();
  let streams = 0;
  let failures = 0;
  const busy = async function* (): AsyncGenerator<readonly FollowEvent[]> {
    streams += 1;
    yield [];
    throw new KubeFailure('source-unreachable', 'too many requests', 3_600_000);
  };
  const vpcs = followed(
    {
      kubernetes: { follow: busy },
      kind: 'Vpc',
      onChange: () => undefined,
      onFailure: () => (failures += 1),
      backOff: () => 0,
    },
    stop.signal,
  );
  try {
    await waitFor(async () => failures > 0, { what: 'the failure', timeoutMs: 5000 });
    await sleep(100); // many back-offs
    expect([streams, failures]).toEqual([1, 1]);
  } finally {
    stop.abort();
    await vpcs.ended;
  }
});

const object = (name: string, version = '1'): KubernetesObject => ({
  kind: 'Vpc',
  metadata: { name, uid: name, resourceVersion: version },
});

/** Follows what these streams report, one after the other, and what it makes of them. */
async function heard(
  ...streams: readonly (readonly (readonly FollowEvent[] | Error)[])[]
): Promise<{
  readonly reported: readonly string[];
  readonly names: readonly string[];
  readonly waits: readonly number[];
}> {
  const stop = new AbortController();
  const reported: string[] = [];
  const waits: number[] = [];
  let stream = 0;
  const follow = async function* () {
    const news = streams[stream++];
    if (news === undefined) return stop.abort();
    for (const batch of news) {
      if (batch instanceof Error) throw batch;
      yield batch;
    }
    throw new Failure('source-unreachable', 'cut');
  };
  const text = (it: KubernetesObject | undefined): string => it?.metadata.resourceVersion ?? '-';
  const vpcs = followed(
    {
      kubernetes: { follow },
      kind: 'Vpc',
      onChange: (before, now) =>
        reported.push(`${(now ?? before)!.metadata.name} ${text(before)} ${text(now)}`),
      onAll: () => reported.push('all'),
      onFailure: ({ message }) => reported.push(message),
      backOff: (failures) => {
        waits.push(failures);
        return 0;
      },
    },
    stop.signal,
  );
  await vpcs.ended;
  return { reported, waits, names: [...(vpcs.objects()?.keys() ?? [])] };
}

test('reports each that came, changed and went, as it was and as it is', async () => {
  const all: FollowEvent = { is: 'all', objects: [object('a'), object('b')] };
  expect(
    await heard([
      [all],
      [
        { is: 'now', object: object('a', '2') },
        { is: 'now', object: object('c') },
        { is: 'gone', object: object('b') },
      ],
    ]),
  ).toMatchObject({
    reported: ['a - 1', 'b - 1', 'all', 'a 1 2', 'c - 1', 'b 1 -', 'cut'],
    names: ['a', 'c'],
  });
});

test('after a list that was read again, also of those that went meanwhile', async () => {
  expect(
    await heard(
      [[{ is: 'all', objects: [object('a'), object('b')] }]],
      [[{ is: 'all', objects: [object('b', '2')] }]],
    ),
  ).toMatchObject({
    reported: ['a - 1', 'b - 1', 'all', 'cut', 'a 1 -', 'b 1 2', 'all', 'cut'],
    names: ['b'],
  });
});

test('before all was heard once nothing is known of any', async () => {
  expect(await heard([[{ is: 'now', object: object('a') }]])).toMatchObject({ names: [] });
});

test('waits by how often in a row it failed; what is heard begins again', async () => {
  const cut = new Failure('source-unreachable', 'cut');
  expect((await heard([cut], [cut], [[], cut], [cut])).waits).toEqual([1, 2, 1, 2]);
});

test('what is a bug is not tried again', async () => {
  const bug = new TypeError('a bug');
  await expect(heard([bug], [])).rejects.toBe(bug);
});
