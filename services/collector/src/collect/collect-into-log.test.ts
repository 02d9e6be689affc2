import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { collectIntoLog } from './collect-into-log';
import type { LogMirror } from '../mirror/mirror';
import { memoryMirror } from '../mirror/mirror-memory';
import type { Source } from '../source-kit/source';
import { changesIn, contentsOf, recordsIn } from '../testing/fold';
import { type Contents, fullRead, gone, object, scripted } from '../testing/script';

const PARTITION = partitionOf('c', PARTITIONS);

/** Dies before or after the nth durable effect. */
function mortal(mirror: LogMirror, log: SqliteLog, nth: number) {
  let instants = 0;
  let dead = false;
  const instant = (): void => {
    dead ||= instants++ === nth;
    if (dead) throw new Failure('log-corrupt', 'crashed');
  };
  const effect = <T>(happens: () => T): T => {
    instant();
    const result = happens();
    instant();
    return result;
  };
  const append: Log['append'] = async (...args) => {
    instant();
    const ack = await log.append(...args);
    instant();
    return ack;
  };
  return {
    mirror: {
      ...mirror,
      openEpoch: (...args: Parameters<LogMirror['openEpoch']>) =>
        effect(() => mirror.openEpoch(...args)),
      commit: (...args: Parameters<LogMirror['commit']>) => effect(() => mirror.commit(...args)),
    },
    log: { ...log, append },
    died: () => dead,
  };
}

const collect = (
  source: Source,
  { mirror, log }: { mirror: LogMirror; log: Pick<Log, 'append' | 'read' | 'watermarks'> },
): Promise<void> =>
  collectIntoLog(
    {
      cluster: 'c',
      sources: [source],
      mirror,
      log,
      clock: () => new Date('2026-01-01T00:00:00Z'),
      backOff: () => 1,
    },
    new AbortController().signal,
  );

const first: Contents = { kept: { x: 1 }, changed: { x: 1 }, vanished: {} };
const scripts = [
  [
    fullRead(first),
    [object('changed', { x: 2 }), object('short-lived', {})],
    [object('kept', { x: 3 })],
    [gone('vanished')],
  ],
];
const worlds: Record<string, Contents> = {
  'as it was left': { kept: { x: 3 }, changed: { x: 2 }, 'short-lived': {} },
  'as it began': first,
  'with everything gone': {},
  'with one returned under its old uid': {
    kept: { x: 1 },
    changed: { x: 1 },
    vanished: {},
    other: {},
  },
};

describe.each([0, 1])(
  'a crash at any instruction, with %d records of another cluster in between',
  (between) => {
    it.each(Object.entries(worlds))(
      'loses nothing when the world is found %s',
      async (_name, world) => {
        for (let nth = 0; ; nth++) {
          const log = openSqliteLog({ file: ':memory:' });
          await log.ensureTopics(TOPICS);
          if (between > 0)
            await log.append(CHANGES, PARTITION, [
              { key: 'neighbour/x', value: null, timestamp: 1 },
            ]);
          const mirror = memoryMirror();
          const dying = mortal(mirror, log, nth);
          await collect(scripted('x', scripts), dying).catch(() => undefined);
          if (between > 0)
            await log.append(CHANGES, PARTITION, [
              { key: 'neighbour/x', value: null, timestamp: 1 },
            ]);
          await collect(scripted('x', [[fullRead(world)]]), { mirror, log });
          expect(contentsOf(changesIn(await recordsIn(log, CHANGES, PARTITION), 'c'))).toEqual(
            world,
          );
          await log.close();
          if (!dying.died()) {
            expect(nth).toBeGreaterThan(8);
            break;
          }
        }
      },
    );
  },
);
