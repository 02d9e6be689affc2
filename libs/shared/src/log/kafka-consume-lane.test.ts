import { setTimeout as sleep } from 'node:timers/promises';
import { createLane } from './kafka-consume-lane';

describe('a lane', () => {
  it('runs one task at a time, in order, whatever becomes of those before', async () => {
    const lane = createLane();
    const said: string[] = [];
    const task =
      (name: string, ms: number, fails = false) =>
      async (): Promise<string> => {
        said.push(`${name} begins`);
        await sleep(ms);
        said.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const [first, second, third] = [
      lane.run(task('first', 20)),
      lane.run(task('second', 5, true)),
      lane.run(task('third', 0)),
    ];
    expect(lane.busy()).toBe(true);
    await expect(second).rejects.toThrow('second');
    expect([await first, await third]).toEqual(['first', 'third']);
    expect(said).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
    expect(lane.busy()).toBe(false);
  });
});
