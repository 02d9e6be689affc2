import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { openWatch, WATCH_SECONDS } from './open-watch';

const POD = kubernetesKind('Pod')!;

test('a watch goes on from a resourceVersion with bookmarks, ends within its bounds, and gives what the server sends until it is closed', async () => {
  const requested: URL[] = [];
  let closed = 0;
  const client = {
    server: 'https://api',
    async get(path: string) {
      requested.push(new URL(path, 'https://api'));
      const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '12' } } };
      return {
        bytes: (async function* () {
          yield Buffer.from(`${JSON.stringify(bookmark)}\n`);
        })(),
        close: () => (closed += 1),
      };
    },
  };
  const watch = await openWatch(
    {
      client,
      kind: POD,
      path: '/api/v1/pods',
      from: '1/1',
      selecting: '&fieldSelector=spec.nodeName%3D',
    },
    new AbortController().signal,
  );
  const batches = [];
  for await (const { events } of watch.batches) batches.push(events);
  expect(batches).toEqual([[{ type: 'BOOKMARK', resourceVersion: '12' }], []]);
  expect(closed).toBe(0);
  watch.close();
  expect(closed).toBe(1);
  expect([requested[0]!.pathname, Object.fromEntries(requested[0]!.searchParams)]).toEqual([
    '/api/v1/pods',
    {
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: '1/1',
      timeoutSeconds: String(watch.seconds),
      fieldSelector: 'spec.nodeName=',
    },
  ]);
  expect(watch.seconds).toBeGreaterThanOrEqual(WATCH_SECONDS[0]);
  expect(watch.seconds).toBeLessThanOrEqual(WATCH_SECONDS[1]);
});
