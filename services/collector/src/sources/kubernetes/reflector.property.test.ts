import fc from 'fast-check';
import type { Fault, FaultServer } from './testing/fault-server';
import { cleanUp, names, reflecting, until } from './testing/reflecting';
import type { Timing } from './timing';

afterEach(cleanUp);

type Step =
  | { do: 'put'; name: string; value: number }
  | { do: 'remove'; name: string }
  | { do: 'fault'; fault: Fault }
  | { do: 'compact' | 'bookmark' | 'end' | 'wait' };

describe('whatever happens', () => {
  const visible: fc.Arbitrary<Fault> = fc.oneof(
    fc.record({
      at: fc.constantFrom('list' as const, 'page' as const, 'watch' as const),
      answer: fc.constantFrom(401, 403, 404, 410, 429, 500, 503),
    }),
    fc.record({
      at: fc.constantFrom('list' as const, 'page' as const),
      do: fc.constantFrom(
        'reset' as const,
        'stall' as const,
        'html' as const,
        'null-items' as const,
      ),
    }),
    fc.constant({ at: 'page', do: 'drift' } as const),
    fc.record({ at: fc.constant('list' as const), shift: fc.integer({ min: -8, max: 0 }) }),
    fc.record({ at: fc.constant('event' as const), error: fc.constantFrom(410, 500) }),
    fc.record({
      at: fc.constant('event' as const),
      do: fc.constantFrom(
        'duplicate' as const,
        'swap' as const,
        'half-line' as const,
        'garbage' as const,
        'cut' as const,
        'reset' as const,
        'stall' as const,
        'close' as const,
        'not-utf8' as const,
      ),
    }),
  );
  const swallowed: fc.Arbitrary<Fault> = fc.constant({ at: 'event', do: 'drop' });
  const name = fc.constantFrom(...names(6));
  const stepsWith = (fault: fc.Arbitrary<Fault>): fc.Arbitrary<Step[]> =>
    fc.array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({ do: fc.constant('put' as const), name, value: fc.nat(9) }),
        },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('fault' as const), fault }) },
        {
          weight: 1,
          arbitrary: fc.record({
            do: fc.constantFrom('compact' as const, 'bookmark' as const, 'end' as const),
          }),
        },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
      ),
      { minLength: 5, maxLength: 60, size: 'max' },
    );
  const ends = (steps: fc.Arbitrary<Step[]>, timing: Partial<Timing>) =>
    fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { server, mirror, run, same } = await reflecting({ slowRetry: 15, ...timing }, 60);
        run();
        for (const it of all) await take(server, it);
        const nudge = setInterval(() => server.endWatches(), 100); // the test server's hours are short
        await until(
          () => same() && mirror.count('complete') > 0 && mirror.unavailable === undefined,
          'truth',
          6_000,
        ).finally(() => clearInterval(nudge));
        await cleanUp();
      }),
      { numRuns: 40, endOnFailure: true },
    );

  test('the mirror ends as the server is, without waiting for the next full read', () =>
    ends(stepsWith(visible), {}));
  test('it does so where silence is checked', () =>
    ends(stepsWith(fc.oneof(visible, swallowed)), {
      stableAfter: 30,
      silence: 30,
      checkPerObject: 1,
    }));
  test('after the next full read it does so even when events were swallowed', () =>
    ends(stepsWith(fc.oneof(visible, swallowed)), { relist: 300 }));
});

async function take(server: FaultServer, step: Step): Promise<void> {
  switch (step.do) {
    case 'put':
      server.put(step.name, { value: String(step.value) });
      break;
    case 'remove':
      server.remove(step.name);
      break;
    case 'fault':
      server.next(step.fault);
      break;
    case 'compact':
      server.compact();
      break;
    case 'bookmark':
      server.bookmark();
      break;
    case 'end':
      server.endWatches();
      break;
    case 'wait':
      await new Promise((go) => setTimeout(go, 8));
  }
}
