import { oneAtATime } from './one-at-a-time';

test('each begins when the one before it has ended, be it in a failure', async () => {
  const [turn, seen] = [oneAtATime(), [] as string[]];
  const step =
    (name: string, fails = false) =>
    async (): Promise<string> => {
      seen.push(`${name} begins`);
      await new Promise(setImmediate);
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const all = await Promise.allSettled([turn(step('a', true)), turn(step('b'))]);
  expect(all.map((it) => it.status)).toEqual(['rejected', 'fulfilled']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});
