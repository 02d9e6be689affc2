import { createRequire } from 'node:module';

interface Channel {
  onMessage(send: (message: unknown) => void): void;
  postMessage(message: unknown): void;
}

interface OwnChannels {
  readonly PoolsWithOwnChannels: new (
    globalConfig: object,
    runtime: string,
  ) => Map<object, { readonly pool: object; readonly run?: (test: object) => Promise<unknown> }>;
}

const { PoolsWithOwnChannels } = createRequire(__filename)('./own-channels.cjs') as OwnChannels;

const ASKS = 'jest-light-runner-get-worker-data';

/** A pool whose workers get what they are given, and listen when they say so. */
async function twoWorkers() {
  const channels: Channel[] = [];
  const paths: string[] = [];
  const pool = {
    run: async (path: string, { channel }: { readonly channel: Channel }) => {
      paths.push(path);
      channels.push(channel);
    },
  };
  const pools = new PoolsWithOwnChannels({ of: 'all' }, 'child_process');
  const project = { of: 'one' };
  pools.set(project, { pool });
  const heard: unknown[][] = [[], []];
  for (const [nth, path] of ['a.test.ts', 'b.test.ts'].entries()) {
    await pools.get(project)!.run!({ path });
    channels[nth]!.onMessage((message) => heard[nth]!.push(message));
  }
  return { channels, heard, paths };
}

test('each worker is answered what it asked, however many were given a file before', async () => {
  const { channels, heard, paths } = await twoWorkers();
  expect(paths).toEqual(['a.test.ts', 'b.test.ts']);
  const workerData = {
    globalConfig: { of: 'all' },
    projectConfig: { of: 'one' },
    runtime: 'child_process',
  };
  const answer = { type: 'jest-light-runner-worker-data', workerData };
  channels[0]!.postMessage(ASKS);
  expect(heard).toEqual([[answer], []]);
  channels[1]!.postMessage(ASKS);
  expect(heard).toEqual([[answer], [answer]]);
});

test('what is no question has no answer', async () => {
  const { channels, heard } = await twoWorkers();
  channels[0]!.postMessage('something else');
  expect(heard).toEqual([[], []]);
});
