import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Change } from '@ovn-steward/shared/events/change';
import { changeKey } from '@ovn-steward/shared/events/change';
import { FindingEvent } from '@ovn-steward/shared/events/envelope';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, FINDINGS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Analyzer } from './analyze';
import { createAnalyzer } from './analyze';
import { Checkpoint } from './store/checkpoint';
import type { Death } from './testing/breaking-log';
import { breakingLog } from './testing/breaking-log';
import { ip, logicalSwitch, pod, port } from './testing/builders';
import type { Built } from './testing/builders';
import { History } from './testing/history';

const GRACE = { garbage: 600_000, leak: 300_000, drift: 0, stuck: 0, misplaced: 0, missing: 0, damage: 0 };
const NOW = new Date('2026-01-01T00:00:00Z');
const CLUSTERS = ['test', 'south'] as const;
const PARTITION = partitionOf('test', PARTITIONS);

test('the clusters of these tests share a partition', () => expect(CLUSTERS.map((it) => partitionOf(it, PARTITIONS))).toEqual([PARTITION, PARTITION]));

const THINGS: readonly Built[] = [
  logicalSwitch(), port(), port('web-0.shop', { up: true }), port('db-1.shop', { addresses: ['0a:00:00:00:00:02 10.17.0.11'] }), port('web-0.shop', { uid: 'another' }),
  ip('web-0.shop'), ip('db-1.shop'), ip('web-0.shop', { ipAddress: '10.17.0.99' }), pod('shop/web-0'), pod('shop/db-1'),
];

/** What happens to the clusters, and who is looking. */
type Step = { readonly cluster: 0 | 1 } & ({ readonly put: number } | { readonly remove: number } | { readonly wait: number } | { readonly lose: string } | { readonly list: string });

interface Turn {
  readonly steps: readonly Step[];
  /** Analyzers that die on it, one after the other, and the one that does not. */
  readonly deaths: readonly { readonly who: string; readonly loses: boolean; readonly death: Death }[];
  readonly who: string;
  readonly loses: boolean;
}

const who = fc.constantFrom('a.db', 'b.db');
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
  deaths: fc.array(fc.record({ who, loses: fc.boolean(), death: fc.record({ write: fc.nat(4), after: fc.boolean() }) }), { maxLength: 2 }),
  who, loses: fc.integer({ min: 0, max: 3 }).map((it) => it === 0),
});

/** Tells the steps of both clusters, the time of each going on by itself. */
function teller(): { begin(): Change[]; tell(steps: readonly Step[]): Change[] } {
  const histories = CLUSTERS.map((it) => new History(it));
  const minutes = [0, 0];
  const told = (it: Step): Change[] => {
    const history = histories[it.cluster]!;
    if ('put' in it) return [history.put(THINGS[it.put]!)];
    if ('remove' in it) return history.remove(THINGS[it.remove]!);
    if ('wait' in it) return history.heartbeats((minutes[it.cluster]! += it.wait));
    return [('lose' in it) ? history.lose(it.lose) : history.complete(it.list)];
  };
  return {
    begin: () => histories.flatMap((it) => [...it.listEverything(), it.put(logicalSwitch()), it.put(port()), it.put(ip('web-0.shop')), ...it.heartbeats(0)]),
    tell: (steps) => steps.flatMap(told),
  };
}

const known = (analyzer: Analyzer): string[] => CLUSTERS.flatMap((it) => analyzer.picture(it)?.findings() ?? []).map((it) => JSON.stringify(it)).sort();

/** A log with the analyzers that look at it; their checkpoints are files of the folder. */
class Bench {
  readonly log: Log = openSqliteLog({ file: ':memory:', now: () => NOW.getTime() });
  readonly folder = mkdtempSync(join(tmpdir(), 'take-over-'));

  async publish(changes: readonly Change[]): Promise<void> {
    if (changes.length > 0) await this.log.append(CHANGES, PARTITION, changes.map((it) => ({ key: changeKey(it), value: JSON.stringify(it), timestamp: NOW.getTime() })));
  }

  /** Looks without end. */
  watch(): { seen(): Promise<string[]>; end(): Promise<void> } {
    const stop = new AbortController();
    const analyzer = createAnalyzer({ log: breakingLog(this.log, PARTITION), grace: GRACE, clock: () => NOW, openCheckpoint: (it) => new Checkpoint(join(this.folder, 'calm.db'), it) });
    const running = analyzer.run(stop.signal);
    return {
      seen: async () => {
        const { high } = await this.log.watermarks(CHANGES, PARTITION);
        while ((await this.log.committed('steward-analyzer'))[0]?.offset !== high) await sleep(1);
        return known(analyzer);
      },
      end: () => (stop.abort(), running),
    };
  }

  /** Looks until everything is seen, or until it dies. Returns what it knows. */
  async look(file: string, loses: boolean, death?: Death): Promise<string[]> {
    const path = join(this.folder, file);
    if (loses) for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    const { high } = await this.log.watermarks(CHANGES, PARTITION);
    const stop = new AbortController();
    const seen = (position: bigint): void => { if (position >= high) stop.abort(); };
    const analyzer = createAnalyzer({
      log: breakingLog(this.log, PARTITION, death), grace: GRACE, clock: () => NOW, openCheckpoint: (it) => new Checkpoint(path, it),
      onBatch: (it) => seen(it.next), onEvent: (it) => { if (it.type === 'partition-opened') seen(it.position); },
    });
    await analyzer.run(stop.signal).catch((error: unknown) => {
      if (!(death && error instanceof Failure && error.code === 'log-closed')) throw error;
    });
    return known(analyzer);
  }

  async events(): Promise<FindingEvent[]> {
    const { records } = await this.log.read(FINDINGS, PARTITION, 0n, 1_000_000);
    return records.map((it) => FindingEvent.parse(JSON.parse(it.value!.toString())));
  }

  async end(): Promise<void> {
    await this.log.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** The last event of each finding. */
const lastOf = (events: readonly FindingEvent[]): Record<string, string> => Object.fromEntries(events.map((it) => [it.subject + it.data.id, JSON.stringify(it)]));

/** Copies of one event that differ, and revisions that go back. */
function contradictions(events: readonly FindingEvent[]): string[] {
  const copies = new Map<string, string>();
  const newest = new Map<string, number>();
  return events.flatMap((it) => {
    const text = JSON.stringify(it);
    const wrong = [...((copies.get(it.id) ?? text) === text ? [] : [`two ${it.id}`]), ...((newest.get(it.data.id) ?? 0) <= it.data.revision ? [] : [`back to ${it.id}`])];
    copies.set(it.id, text);
    newest.set(it.data.id, it.data.revision);
    return wrong;
  });
}

test('whoever dies and whatever is lost, the findings are those of one who was never disturbed', async () => {
  await fc.assert(fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
    const [calm, stormy] = [new Bench(), new Bench()];
    await Promise.all([calm, stormy].map((it) => it.log.ensureTopics(TOPICS)));
    const history = teller();
    const begin = history.begin();
    await calm.publish(begin);
    await stormy.publish(begin);
    const watching = calm.watch();
    try {
      for (const { steps, deaths, who, loses } of turns) {
        const undisturbed = await watching.seen();
        for (const it of deaths) await stormy.look(it.who, it.loses, it.death);
        expect(await stormy.look(who, loses)).toEqual(undisturbed);
        const told = history.tell(steps);
        await calm.publish(told);
        await stormy.publish(told);
      }
      await watching.seen();
      await stormy.look('c.db', false);
      const events = await stormy.events();
      expect(contradictions(events)).toEqual([]);
      expect(lastOf(events)).toEqual(lastOf(await calm.events()));
    } finally {
      await watching.end();
      await Promise.all([calm.end(), stormy.end()]);
    }
  }), { numRuns: Number(process.env['STEWARD_TEST_RUNS'] ?? 25) });
}, 120_000);
