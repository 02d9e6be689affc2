import type { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import { encodeStatus } from '@ovn-steward/contracts/status/status-codec';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { NewRecord } from '@ovn-steward/shared/log/log';
import { type KnownSource, sourceStatuses } from './source-statuses';

/**
 * How far a source is known moves all the time: it is published so often at most, where nothing
 * else changed.
 */
const STATUS_EVERY_MS = 60_000;

type KnownCluster = Parameters<typeof sourceStatuses>[0];

/** What was published last of a cluster. */
interface Published {
  readonly streams: string;
  readonly at: number;
  /** By source: all that was said but for how fresh it is, and how fresh it was. */
  readonly sources: ReadonlyMap<string, { readonly substance: string; readonly fresh: string }>;
}

/** The writer, and where its findings stand. */
export interface StatusOrigin {
  readonly version: string;
  readonly analyzer: string;
  readonly findingsThrough: bigint;
  readonly at: Date;
}

/**
 * When the status of which source is due in one partition: at once when a stream of the cluster
 * became known or unknown, else once in `STATUS_EVERY_MS` where anything moved. So its cost follows
 * what changes, not how many changes there are.
 */
export class StatusRelay {
  readonly #published = new Map<string, Published>();

  /** The records that are due of the cluster. Reads its streams alone unless some are. */
  due(cluster: string, engine: KnownCluster, origin: StatusOrigin): readonly NewRecord[] {
    const before = this.#published.get(cluster);
    const streams = streamsText(engine);
    const at = origin.at.getTime();
    if (before?.streams === streams && at - before.at < STATUS_EVERY_MS) return [];
    const known = sourceStatuses(engine);
    const sources = new Map(
      known.map((it) => [it.source, { substance: substance(it), fresh: it.freshThrough ?? '' }]),
    );
    this.#published.set(cluster, { streams, at, sources });
    return known
      .filter(({ source }) => {
        const was = before?.sources.get(source);
        const is = sources.get(source)!;
        return was?.substance !== is.substance || was.fresh !== is.fresh;
      })
      .map((it) => encodeStatus(statusOf(cluster, it, origin), origin.at));
  }

  /** What was due was not published after all: all of it is due again. */
  failed(cluster: string): void {
    this.#published.delete(cluster);
  }
}

const substance = ({ freshThrough: _, ...rest }: KnownSource): string => JSON.stringify(rest);

/** Which streams there are and whether each is known in full, whatever they said last. */
const streamsText = (engine: Pick<Engine, 'streams'>): string =>
  JSON.stringify(engine.streams().map(({ stream, completeness }) => [stream, completeness]));

const statusOf = (
  cluster: string,
  { source, ...known }: KnownSource,
  { version, analyzer, findingsThrough, at }: StatusOrigin,
): SourceStatus => ({
  version: 1,
  cluster,
  source,
  ...known,
  findingsThrough: String(findingsThrough),
  analyzer: { version, id: analyzer },
  writtenAt: at.toISOString(),
});
