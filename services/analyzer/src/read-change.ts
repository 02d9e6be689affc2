import { REPLAY_OF } from '@ovn-steward/shared/dead-letters/replay-dead-letter';
import { Change } from '@ovn-steward/shared/events/change';
import type { SourceId } from '@ovn-steward/shared/events/reference';
import { messageOf } from '@ovn-steward/shared/errors';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { kubernetesStream } from '@ovn-steward/shared/kinds';
import type { Told, Unreadable } from '@ovn-steward/judgement/world/told';

/** A record of the changes topic: what it tells and of which cluster, or why it cannot be read. A poison under a key of ours tells that something is not known. */
export type Read =
  | { readonly cluster: string; readonly told: Told }
  | { readonly skipped: true }
  | { readonly poison: string; readonly cluster?: string; readonly told?: Unreadable };

/** Parses one record read at the place (`<topic>/<partition>/<offset>`). Never throws: what cannot be read is poison with the reason, for the dead-letter topic. */
export function readChange(record: LogRecord, at: string): Read {
  if (record.value === null) return buried(record) ?? { skipped: true };
  const parsed = parse(record.value);
  if (typeof parsed === 'string') return { poison: parsed, ...missing(record, at, parsed) };
  return {
    cluster: parsed.cluster,
    told: Object.hasOwn(record.headers, REPLAY_OF)
      ? { type: 'replayed', change: parsed, stream: parsed.stream }
      : parsed,
  };
}

function parse(value: Buffer): Change | string {
  try {
    const { success, data, error } = Change.safeParse(JSON.parse(value.toString('utf8')));
    if (success) return data;
    const [issue] = error.issues;
    return `it is no change of version 1: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
  } catch (error) {
    return `it is not JSON: ${messageOf(error)}`;
  }
}

/** `<cluster>/<source>/<kind>/<uid>`, or `<cluster>/<source>/_<type>/<stream>` (`changeKey`). */
const KEY = /^([^/]+)\/(ovn-nb|ovn-sb|kubernetes)\/([^/]+)\/(.+)$/s;

interface Named {
  readonly cluster: string;
  readonly source: SourceId;
  readonly stream: string;
  readonly kind: string;
  readonly uid: string;
}

function named(key: string): Named | undefined {
  const [, cluster, source, kind, uid] = KEY.exec(key) ?? [];
  if (cluster === undefined || kind === undefined || uid === undefined) return undefined;
  const stream = kind.startsWith('_')
    ? uid
    : source === 'kubernetes'
      ? kubernetesStream(kind)
      : source!;
  return { cluster, source: source as SourceId, stream, kind, uid };
}

/** The next heartbeat says all that an unreadable one did; anything else leaves a hole. */
function missing(
  { key }: LogRecord,
  at: string,
  why: string,
): { cluster?: string; told?: Unreadable } {
  const name = named(key);
  if (!name || name.kind === '_heartbeat') return {};
  const { cluster, ...what } = name;
  return { cluster, told: { type: 'unreadable', ...what, at, why } };
}

/** A tombstone says nothing the deletion before it did not say, unless that could not be read. */
function buried({ key, headers, timestamp }: LogRecord): Read | undefined {
  const name = named(key);
  const read =
    name &&
    Change.safeParse({
      type: 'delete',
      version: 1,
      id: headers['id'],
      ...name,
      stream: headers['stream'],
      epoch: Number(headers['epoch']),
      seq: Number(headers['seq']),
      cursor: '',
      observedAt: new Date(timestamp).toISOString(),
      name: '',
    });
  return read?.success ? { cluster: name!.cluster, told: read.data } : undefined;
}
