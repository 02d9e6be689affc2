import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { FindingEvent } from '@ovn-steward/contracts/findings/finding-event';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import type { Observed } from '../testing/bench';
import { Bench, CLUSTERS, PARTITION } from '../testing/bench';
import type { Death } from '../testing/breaking-log';
import { ip, logicalSwitch, pod, port } from '@ovn-steward/judgement/testing/builders';
import type { Built } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';

const THINGS: readonly Built[] = [
  logicalSwitch(),
  port(),
  port('web-0.shop', { up: true }),
  port('db-1.shop', { addresses: ['0a:00:00:00:00:02 10.17.0.11'] }),
  port('web-0.shop', { uid: 'another' }),
  ip('web-0.shop.second.shop.ovn'),
  ip('db-1.shop'),
  ip('web-0.shop', { ipAddress: '10.17.0.99' }),
  pod('shop/web-0'),
  pod('shop/db-1'),
];

/** What happens to the clusters, and who is looking. */
type Step = { readonly cluster: 0 | 1 } & (
  | { readonly put: number }
  | { readonly remove: number }
  | { readonly wait: number }
  | { readonly lose: string }
  | { readonly list: string }
);

interface Turn {
  readonly steps: readonly Step[];
  /** Analyzers that die on it, one after the other, and the one that does not. */
  readonly deaths: readonly {
    readonly file: string;
    readonly loses: boolean;
    readonly death: Death;
  }[];
  readonly file: string;
  readonly loses: boolean;
}

const file = fc.constantFrom('a.db', 'b.db');
const thing = fc.nat(THINGS.length - 1);
const kind = fc.constantFrom('Pod', 'IP', 'Logical_Switch_Port', 'StatefulSet');
const cluster = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ cluster, put: thing }) },
  { weight: 3, arbitrary: fc.record({ cluster, remove: thing }) },
  { weight: 4, arbitrary: fc.record({ cluster, wait: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ cluster, lose: kind }) },
  { weight: 4, arbitrary: fc.record({ cluster, list: kind }) },
);
const turn: fc.Arbitrary<Turn> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  deaths: fc.array(
    fc.record({
      file,
      loses: fc.boolean(),
      death: fc.record({ write: fc.nat(4), after: fc.boolean() }),
    }),
    { maxLength: 2 },
  ),
  file,
  loses: fc.integer({ min: 0, max: 3 }).map((it) => it === 0),
});

/** Reports the steps of both clusters, the time of each going on by itself. */
function reporter(): { begin(): Change[]; report(steps: readonly Step[]): Change[] } {
  const histories = CLUSTERS.map((it) => new History(it));
  const minutes = [0, 0];
  const changesOf = (move: Step): Change[] => {
    const history = histories[move.cluster]!;
    if ('put' in move) return [history.put(THINGS[move.put]!)];
    if ('remove' in move) return history.remove(THINGS[move.remove]!);
    if ('wait' in move) return history.heartbeats((minutes[move.cluster]! += move.wait));
    return ['lose' in move ? history.lose(move.lose) : history.complete(move.list)];
  };
  return {
    begin: () =>
      histories.flatMap((history) => [
        ...history.listEverything(),
        history.put(logicalSwitch()),
        history.put(port()),
        history.put(ip('web-0.shop.second.shop.ovn')),
        ...history.heartbeats(0),
      ]),
    report: (steps) => steps.flatMap(changesOf),
  };
}

const known = ({ analyzer }: Observed): string[] =>
  CLUSTERS.flatMap((it) => analyzer.picture(it)?.findings() ?? [])
    .map((it) => JSON.stringify(it))
    .sort();

/** The last event of each finding. */
const lastOf = (events: readonly FindingEvent[]): Record<string, string> =>
  Object.fromEntries(events.map((it) => [it.subject + it.data.id, JSON.stringify(it)]));

/** Copies of one event that differ, and revisions that go back. */
function contradictions(events: readonly FindingEvent[]): string[] {
  const copies = new Map<string, string>();
  const newest = new Map<string, number>();
  return events.flatMap((event) => {
    const text = JSON.stringify(event);
    const wrong = [
      ...((copies.get(event.id) ?? text) === text ? [] : [`two ${event.id}`]),
      ...((newest.get(event.data.id) ?? 0) <= event.data.revision ? [] : [`back to ${event.id}`]),
    ];
    copies.set(event.id, text);
    newest.set(event.data.id, event.data.revision);
    return wrong;
  });
}

/** What an analyzer knows that is never disturbed, once it has seen everything. */
async function knownUndisturbed(bench: Bench, observed: Observed): Promise<string[]> {
  const { high } = await bench.log.watermarks(CHANGES, PARTITION);
  while (observed.batches.at(-1)?.next !== high) await sleep(1);
  return known(observed);
}

test('whoever dies and whatever is lost, the findings are those of one who was never disturbed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
      const calm = await new Bench().begin();
      const stormy = await new Bench().begin();
      const history = reporter();
      const begin = history.begin();
      await calm.publish(begin);
      await stormy.publish(begin);
      const stop = new AbortController();
      const undisturbed = calm.start({}, stop.signal);
      try {
        for (const { steps, deaths, file, loses } of turns) {
          for (const it of deaths) await stormy.read(it);
          expect(known(await stormy.read({ file, loses }))).toEqual(
            await knownUndisturbed(calm, undisturbed),
          );
          const reported = history.report(steps);
          await calm.publish(reported);
          await stormy.publish(reported);
        }
        await knownUndisturbed(calm, undisturbed);
        await stormy.read({ file: 'c.db' });
        const events = await stormy.events();
        expect(contradictions(events)).toEqual([]);
        expect(lastOf(events)).toEqual(lastOf(await calm.events()));
      } finally {
        stop.abort();
        await undisturbed.running;
        await Promise.all([calm.end(), stormy.end()]);
      }
    }),
    { numRuns: Number(process.env['STEWARD_TEST_RUNS'] ?? 25) },
  );
});
