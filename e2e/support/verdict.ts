import { setTimeout as sleep } from 'node:timers/promises';
import { type Change, changeKey } from '@ovn-steward/contracts/changes/change';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { FindingEvent } from '@ovn-steward/contracts/findings/finding-event';
import { CHANGES, FINDINGS } from '@ovn-steward/shared/log/topics';
import { auditOf, contentsOf, type Servers } from './reference';
import { readTopic, type TopicRecord } from './topic';

/** One sentence per offence. */
export interface Verdict {
  /**
   * What the servers hold and the log does not say, or says otherwise; what is gone and the log
   * does not say so.
   */
  readonly lost: readonly string[];
  /** Ids that mean two things, and things that have two ids. */
  readonly duplicated: readonly string[];
  /** Findings of an undisturbed audit that are not on the topic, and the other way round. */
  readonly differing: readonly string[];
}

export const isClean = ({ lost, duplicated, differing }: Verdict): boolean =>
  lost.length + duplicated.length + differing.length === 0;

export interface Judged extends Servers {
  readonly bootstrap: readonly string[];
  readonly cluster: string;
  /**
   * Kinds that the log may hold as another version writes them: their objects are compared, not
   * their contents.
   */
  readonly keysOnly?: ReadonlySet<string>;
}

/** Whatever was disturbed may take so long to come round; what is wrong after that is wrong. */
const PATIENCE_MS = 90_000;

/**
 * Compares both topics with the servers once nothing happens any more; compares again until all
 * agrees or patience ends.
 */
export async function judge(judged: Judged): Promise<Verdict> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(1500)) {
    const verdict = await observe(judged);
    if (isClean(verdict) || verdict.duplicated.length > 0 || Date.now() > end) return verdict;
  }
}

async function observe(judged: Judged): Promise<Verdict> {
  const contents = await contentsOf(judged, judged.cluster);
  const audited = await auditOf(judged, judged.cluster);
  const changes = await readTopic(judged.bootstrap, CHANGES);
  const findings = await readTopic(judged.bootstrap, FINDINGS);
  return {
    lost: lostIn(changes, contents, judged.keysOnly),
    duplicated: [...reportedTwiceIn(changes), ...twiceFoundIn(findings)],
    differing: differingIn(findings, audited),
  };
}

/** Folds the changes as events/change.ts says a reader must: by (epoch, seq) within each stream. */
export function lostIn(
  records: readonly TopicRecord[],
  truth: ReadonlyMap<string, string>,
  keysOnly: ReadonlySet<string> = new Set(),
): string[] {
  const at = new Map<string, readonly [number, number]>();
  const reported = new Map<string, string>();
  for (const change of changesOf(records)) {
    const [epoch, seq] = at.get(change.stream) ?? [0, 0];
    if (change.epoch < epoch || (change.epoch === epoch && change.seq <= seq)) continue;
    at.set(change.stream, [change.epoch, change.seq]);
    if (change.type === 'put') {
      const key = changeKey(change);
      reported.set(key, keysOnly.has(change.kind) ? (truth.get(key) ?? change.hash) : change.hash);
    }
    if (change.type === 'delete') reported.delete(changeKey(change));
  }
  const keys = [...new Set([...reported.keys(), ...truth.keys()])].filter(
    (key) => reported.get(key) !== truth.get(key),
  );
  return keys.map(
    (key) =>
      `${key}: the log says ${reported.get(key) ?? 'gone'}, the servers ${truth.get(key) ?? 'gone'}`,
  );
}

/** A position in a stream is one change for ever, with one id and one content. */
export function reportedTwiceIn(records: readonly TopicRecord[]): string[] {
  return conflicts(
    changesOf(records).map(
      (it) => [`${it.stream} ${it.epoch}/${it.seq}`, JSON.stringify(it)] as const,
    ),
  );
}

/**
 * An event id is one event for ever; a subject has one finding a rule; revisions are not passed
 * over.
 */
export function twiceFoundIn(records: readonly TopicRecord[]): string[] {
  const events = records.flatMap(({ value }) =>
    value === null ? [] : [FindingEvent.parse(JSON.parse(value))],
  );
  const subjects = events.map(
    ({ data: { rule, cluster, subject, id } }) =>
      [`${cluster} ${rule} ${JSON.stringify(subject)}`, id] as const,
  );
  const seen = new Map<string, number>();
  const skipped = events.flatMap(({ data: { id, revision } }) => {
    const last = seen.get(id) ?? 0;
    seen.set(id, Math.max(last, revision));
    return revision > last + 1 ? [`finding ${id} went from revision ${last} to ${revision}`] : [];
  });
  return [
    ...conflicts(events.map((it) => [`event ${it.id}`, JSON.stringify(it)] as const)),
    ...conflicts(subjects),
    ...skipped,
  ];
}

export function differingIn(
  records: readonly TopicRecord[],
  audited: ReadonlyMap<string, string>,
): string[] {
  const open = new Map<string, string>();
  for (const { key, value } of records) {
    const event = value === null ? undefined : FindingEvent.parse(JSON.parse(value));
    if (event === undefined || event.data.state === 'resolved') open.delete(key);
    else open.set(key, event.data.summary);
  }
  const missing = [...audited]
    .filter(([id]) => !open.has(id))
    .map(([id, summary]) => `not on the topic: ${id} ${summary}`);
  return [
    ...missing,
    ...[...open]
      .filter(([id]) => !audited.has(id))
      .map(([id, summary]) => `on the topic alone: ${id} ${summary}`),
  ];
}

/** But those that docs/kafka.md tells readers to refuse: planted by a fault, too. */
const changesOf = (records: readonly TopicRecord[]): Change[] =>
  records.flatMap(({ value, ...record }) => {
    const read = decodeChange({ ...record, value: value === null ? null : Buffer.from(value) });
    return 'change' in read ? [read.change] : [];
  });

/** What is named twice with different contents. */
function conflicts(pairs: readonly (readonly [name: string, content: string])[]): string[] {
  const first = new Map<string, string>();
  return pairs.flatMap(([name, content]) => {
    const known = first.get(name);
    if (known === undefined) first.set(name, content);
    return known === undefined || known === content
      ? []
      : [`${name} means two things: ${known.slice(0, 300)} and ${content.slice(0, 300)}`];
  });
}
