import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { KubernetesRequests } from './kubernetes-requests';
import { lists } from './list-objects';
import type { KindPaths } from './places';
import { LARGEST_ANSWER } from './read-json';

const POD = kubernetesKind('Pod')!;
const never = new AbortController().signal;
const NAMES = Array.from({ length: 1200 }, (_, index) => `pod-${index}`);
/** Zeros that the operating system hands out once; read-json gives up before it keeps them. */
const BEYOND = Buffer.alloc(LARGEST_ANSWER + 1);

/** A server of pods whose answer is too large where a page holds more than `most` of them. */
function serving(most: number) {
  const limits: number[] = [];
  const requests = {
    server: 'https://api',
    client: {
      server: 'https://api',
      async get(path: string) {
        const query = new URL(path, 'https://api').searchParams;
        const limit = Number(query.get('limit'));
        const from = Number(query.get('continue') ?? 0);
        limits.push(limit);
        const names = NAMES.slice(from, from + limit);
        const rest = from + limit < NAMES.length ? { continue: String(from + limit) } : {};
        const page = Buffer.from(
          JSON.stringify({
            kind: 'PodList',
            metadata: { resourceVersion: '7', ...rest },
            items: names.map((name) => ({
              metadata: { name, namespace: 'shop', uid: `u-${name}`, resourceVersion: '1' },
            })),
          }),
        );
        return {
          bytes: (async function* () {
            yield limit > most ? BEYOND : page;
          })(),
        };
      },
    },
    within: (signal: AbortSignal, work: (signal: AbortSignal) => Promise<unknown>) => work(signal),
  } as unknown as KubernetesRequests;
  const places = { collection: () => '/api/v1/pods' } as unknown as KindPaths;
  return { all: () => lists(requests, places).all(POD, undefined, never), limits };
}

test('a page that is larger than is read at once is asked for in smaller ones, and nothing is left out', async () => {
  const { all, limits } = serving(125);
  const { objects } = await all();
  expect(objects.map(({ metadata }) => metadata.name)).toEqual(NAMES);
  expect([limits[0], new Set(limits.slice(1))]).toEqual([500, new Set([125])]);
});

test('where one object alone is larger the list is a failure that names the kind, and no shorter list', async () => {
  const { all, limits } = serving(0);
  await expect(all()).rejects.toMatchObject({
    code: 'source-broken',
    message: expect.stringMatching(/^One Pod alone is larger than .*kubectl get pods -A/),
  });
  expect(limits).toEqual([500, 125, 32, 8, 2, 1]);
});
