import { Failure } from '@ovn-steward/shared/errors';
import type { Observation, Source } from './source';

export interface SourceCase {
  /** A source over something that holds at least one object. */
  readonly source: Source;
  /**
   * What was done so far to whatever is observed: connections made, files opened. Stays 0 until
   * `observe` is iterated.
   */
  readonly touched?: () => number;
  /** True for a source that follows something live and ends only by the signal. */
  readonly endless: boolean;
  /** The same kind of source over something of which it can read nothing. */
  readonly unreadable: () => Promise<Pick<SourceCase, 'source' | 'close'>>;
  readonly close?: () => Promise<void>;
}

/** How long a source may take to say that it cannot read. */
const SAYS_SO_WITHIN_MS = 10_000;

/** What it says until it says for the first time that something is unavailable, and if it fails. */
async function readInVain(source: Source): Promise<{ observed: Observation[]; failure?: unknown }> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SAYS_SO_WITHIN_MS);
  const observed: Observation[] = [];
  try {
    for await (const batch of source.observe(stop.signal)) {
      observed.push(...batch);
      if (batch.some((it) => it.type === 'unavailable')) break;
    }
    return { observed };
  } catch (failure) {
    return { observed, failure };
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/**
 * Reads until every stream is complete or unavailable and something complete was seen; at most
 * `limit` batches.
 */
async function readThrough(
  source: Source,
  signal: AbortSignal,
  limit = 10_000,
): Promise<Observation[]> {
  const seen: Observation[] = [];
  const open = new Set(source.streams);
  for await (const batch of source.observe(signal)) {
    for (const observation of batch) {
      seen.push(observation);
      if (observation.type === 'begin') open.add(observation.stream);
      if (observation.type === 'complete' || observation.type === 'unavailable')
        open.delete(observation.stream);
    }
    if (open.size === 0 && seen.some((it) => it.type === 'complete')) return seen;
    if (--limit === 0) throw new Error('The source did not complete any read.');
  }
  return seen;
}

/** What every source promises the collector. `open` makes a fresh one each time. */
export function describeSource(name: string, open: () => Promise<SourceCase>): void {
  describe(`${name} (source contract)`, () => {
    let opened: SourceCase;
    let stop: AbortController;
    beforeEach(async () => {
      opened = await open();
      stop = new AbortController();
    });
    afterEach(async () => {
      stop.abort();
      await opened.close?.();
    });
    const read = (): Promise<Observation[]> => readThrough(opened.source, stop.signal);

    it('starts nothing before it is iterated', () => {
      opened.source.observe(stop.signal);
      expect(opened.touched?.() ?? 0).toBe(0);
    });

    it('reports contents, and the end of a read, only after its begin', async () => {
      const running = new Set<string>();
      const begun = new Set<string>();
      for (const observation of await read()) {
        if (observation.type === 'begin')
          [begun, running].forEach((streams) => streams.add(observation.stream));
        if (observation.type === 'object' || observation.type === 'gone')
          expect(begun).toContain(observation.stream);
        if (observation.type === 'complete') expect(running.delete(observation.stream)).toBe(true);
      }
    });

    it('reports objects of the kinds it announced, with uids, and each once in a read', async () => {
      const kinds = new Map<string, readonly string[]>();
      const seen = new Set<string>();
      for (const observation of await read()) {
        if (observation.type === 'begin') kinds.set(observation.stream, observation.kinds);
        if (observation.type !== 'object') continue;
        expect(kinds.get(observation.stream)).toContain(observation.kind);
        expect(observation.uid).not.toBe('');
        const key = `${observation.stream} ${observation.kind} ${observation.uid}`;
        expect(seen).not.toContain(key);
        seen.add(key);
      }
      expect(seen.size).toBeGreaterThan(0);
    });

    it('gives objects that survive JSON unchanged', async () => {
      for (const it of await read())
        if (it.type === 'object') expect(JSON.parse(JSON.stringify(it.object))).toEqual(it.object);
    });

    it('shows the same contents when observed again', async () => {
      const contents = async (): Promise<string[]> =>
        (await read())
          .flatMap((it) =>
            it.type === 'object' ? [JSON.stringify([it.kind, it.uid, it.name, it.object])] : [],
          )
          .sort();
      const first = await contents();
      expect(await contents()).toEqual(first);
    });

    it('dates its progress', async () => {
      for (const it of await read())
        if (it.type === 'progress') expect(new Date(it.through).toISOString()).toBe(it.through);
    });

    it('says nothing when the signal fired before', async () => {
      stop.abort();
      for await (const batch of opened.source.observe(stop.signal)) expect(batch).toEqual([]);
    });

    it('ends when the signal fires, and by itself only when it is not endless', async () => {
      const timer = opened.endless ? setTimeout(() => stop.abort(), 300) : undefined;
      for await (const batch of opened.source.observe(stop.signal)) void batch;
      clearTimeout(timer);
      expect(stop.signal.aborted).toBe(opened.endless);
    });

    it('says of what it cannot read that it is unavailable, or fails: never that there is nothing', async () => {
      const { source, close } = await opened.unreadable();
      const { observed, failure } = await readInVain(source);
      await close?.();
      expect(observed.filter((it) => it.type === 'complete' || it.type === 'gone')).toEqual([]);
      const unavailable = observed.flatMap((it) => (it.type === 'unavailable' ? [it] : []));
      // A server that was never reached has not said which kinds it has: then the stream is named.
      for (const { stream, detail } of unavailable) expect([stream, detail]).not.toContain('');
      if (unavailable.length === 0) expect(failure).toBeInstanceOf(Failure);
    });

    it('can be left in the middle', async () => {
      for await (const batch of opened.source.observe(stop.signal)) {
        void batch;
        break;
      }
      expect((await read()).some((it) => it.type === 'complete')).toBe(true);
    });
  });
}
