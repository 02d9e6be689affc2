import { compareValues } from '@ovn-steward/shared/compare';
import type { AuditSource } from '@ovn-steward/contracts/audit';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { OPTIONAL_KINDS } from '@ovn-steward/judgement/kube-ovn/admin-policies';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { streamNameOf } from '@ovn-steward/judgement/world/stream-name';

type KnownCluster = Pick<Engine, 'streams' | 'world'>;
type Streams = ReturnType<KnownCluster['streams']>;

/** Each source, and what it holds and lacks. */
export function auditSources(engine: KnownCluster): AuditSource[] {
  const streams = engine.streams();
  return [...new Set(streams.map((it) => it.source))].sort().map((source) =>
    sourceOf(
      engine,
      source,
      streams.filter((it) => it.source === source),
    ),
  );
}

function sourceOf(engine: KnownCluster, id: string, streams: Streams): AuditSource {
  const kinds = streams
    .flatMap((stream) =>
      kindsOf(engine, stream).map((kind) => ({
        kind,
        state: stream.completeness.state,
        count: engine.world.count(kind),
        ...(stream.completeness.state === 'unavailable'
          ? { reason: stream.completeness.reason, detail: stream.completeness.detail }
          : {}),
      })),
    )
    .sort((a, b) => compareValues(a.kind, b.kind));
  const asOf =
    streams
      .map((it) => it.observedThrough)
      .filter((it) => it !== '')
      .sort()
      .at(-1) ?? null;
  return {
    id,
    complete: streams.every(
      (stream) =>
        stream.completeness.state === 'complete' ||
        notInstalled(engine, stream.kinds) ||
        !isNeeded(engine, stream),
    ),
    asOf,
    counts: Object.fromEntries(
      kinds
        .filter((it) => it.count > 0 || it.state === 'complete')
        .map((it) => [it.kind, it.count]),
    ),
    kinds,
  };
}

/**
 * The stream of a database names its tables once it was read; a Kubernetes stream is one kind even
 * before it was listed.
 */
const kindsOf = (engine: KnownCluster, stream: Streams[number]): readonly string[] =>
  stream.source === 'kubernetes'
    ? [stream.stream.slice('kubernetes/'.length)]
    : stream.kinds.length > 0
      ? stream.kinds
      : [...engine.world.kinds()].filter((it) => streamNameOf(it) === stream.stream);

/**
 * Kinds no rule depends on may be missing: rules that consult them say what they could not judge.
 * Rules depend on tables of both databases.
 */
const isNeeded = (engine: KnownCluster, stream: Streams[number]): boolean =>
  stream.source !== 'kubernetes' || kindsOf(engine, stream).some((it) => NEEDED_KINDS.has(it));

/**
 * What some rule must know in full before it says anything; but for what only few clusters have,
 * whose rules alone need it.
 */
export const NEEDED_KINDS: ReadonlySet<string> = new Set(
  RULES.flatMap((it) => [it.subject, ...it.reads]).filter((it) => !OPTIONAL_KINDS.has(it)),
);

const notInstalled = (engine: KnownCluster, kinds: readonly string[]): boolean =>
  kinds.length > 0 && kinds.every((it) => engine.world.notInstalled(it));
