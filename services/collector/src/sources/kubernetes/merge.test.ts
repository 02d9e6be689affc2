import { mergeIterables } from './merge';

async function* counting(name: string, count: number, made: string[] = []): AsyncGenerator<string> {
  for (let i = 0; i < count; i += 1) {
    made.push(`${name}${i}`);
    yield `${name}${i}`;
  }
}

test('gives everything, each source in its order', async () => {
  const got: string[] = [];
  for await (const value of mergeIterables([counting('a', 3), counting('b', 2), counting('c', 0)]))
    got.push(value);
  expect(got.filter((it) => it.startsWith('a'))).toEqual(['a0', 'a1', 'a2']);
  expect(got.filter((it) => it.startsWith('b'))).toEqual(['b0', 'b1']);
});

test('a busy source does not keep the others waiting', async () => {
  const got: string[] = [];
  for await (const value of mergeIterables([counting('busy', 1000), counting('quiet', 3)]))
    got.push(value);
  expect(got.lastIndexOf('quiet2')).toBeLessThan(10);
});

test('nobody runs ahead of a consumer that waits', async () => {
  const made: string[] = [];
  const merged = mergeIterables([counting('a', 1000, made), counting('b', 1000, made)]);
  await merged.next();
  await new Promise((go) => setTimeout(go, 20));
  expect(made.length).toBeLessThanOrEqual(4);
  await merged.return(undefined);
});

test('fails with the first failure, after what came before it', async () => {
  const merged = mergeIterables([
    (async function* () {
      yield 1;
      throw new Error('broken');
    })(),
  ]);
  expect((await merged.next()).value).toBe(1);
  await expect(merged.next()).rejects.toThrow('broken');
});

test('lets its sources clean up when the consumer leaves', async () => {
  let cleaned = false;
  for await (const value of mergeIterables([
    (async function* () {
      try {
        for (;;) yield 1;
      } finally {
        cleaned = true;
      }
    })(),
  ])) {
    expect(value).toBe(1);
    break;
  }
  await new Promise(setImmediate);
  expect(cleaned).toBe(true);
});
