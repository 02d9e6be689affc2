import type { Plan } from '@ovn-steward/executor';
import { refuseUnripe, untilRipe } from './carry-out';

const ripeIn = (...ms: number[]): Plan =>
  ({
    entries: ms.map((it) => ({ ripeAt: new Date(Date.now() + it).toISOString() })),
  }) as unknown as Plan;
const never = new AbortController().signal;

let said: jest.SpiedFunction<typeof process.stderr.write>;
beforeEach(() => {
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => said.mockRestore());

test('what is not ripe is refused by what would end it: later by a file, or by waiting', () => {
  expect(() => refuseUnripe(ripeIn(-1), 'none')).not.toThrow();
  expect(() => refuseUnripe(ripeIn(-1, 60_000), 'file')).toThrow(
    /^1 of the 2 things .* Apply it then, or add --wait\.$/,
  );
  expect(() => refuseUnripe(ripeIn(60_000), 'none')).toThrow(
    /Add --wait, and the plan is proven again .* steward plan --out <file>/,
  );
  expect(() => refuseUnripe(ripeIn(60_000), 'none')).not.toThrow(/Apply it then/);
});

test('waits until the last of it is ripe, and says until when', async () => {
  const began = Date.now();
  const plan = ripeIn(-1, 300, 100);
  await untilRipe(plan, never);
  expect(Date.now() - began).toBeGreaterThanOrEqual(300);
  expect(String(said.mock.calls[0]?.[0])).toContain(`Waiting until ${plan.entries[1]!.ripeAt}`);
});

test('says nothing where all of it is ripe', async () => {
  await untilRipe(ripeIn(-1), never);
  expect(said).not.toHaveBeenCalled();
});

test('an interruption ends the waiting, in one sentence', async () => {
  await expect(untilRipe(ripeIn(60_000), AbortSignal.timeout(100))).rejects.toThrow(
    /^Interrupted before .*: nothing of this plan was done\.$/,
  );
});
