import { episode } from './episode';
import { type SteadyClock, takeSteadyClock } from './steady-clock';
import { OFFENCES } from './tally';

let clock: SteadyClock;
beforeEach(() => {
  clock = takeSteadyClock();
});
afterEach(() => clock.restore());

test.each([7_000_026, 7_000_041])(
  'the history of seed %i has no offence, does something, and is the same again',
  async (seed) => {
    const first = await episode(seed, 200, clock);
    expect(OFFENCES.filter((it) => first.tally[it] > 0)).toEqual([]);
    expect(first.offences).toEqual([]);
    expect(first.tally.removals).toBeGreaterThan(0);
    clock.restore();
    clock = takeSteadyClock();
    expect((await episode(seed, 200, clock)).tally).toEqual(first.tally);
  },
  180_000,
);
