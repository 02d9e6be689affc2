import { kubernetesStream } from '@ovn-steward/shared/kinds';
import { type Change, changeKey } from './change';
import { SourceId } from '../identity/reference';

/**
 * What the key of a change names: a row or object, or, with `_<type>` for the kind, one sort of
 * news of a stream.
 */
export interface ChangeName {
  readonly cluster: string;
  readonly source: SourceId;
  readonly stream: string;
  readonly kind: string;
  /** Of news of a stream the stream's name. */
  readonly uid: string;
}

const KEY = /^([^/]+)\/([^/]+)\/([^/]+)\/(.+)$/s;

/**
 * Reads a key that `changeKey` made; undefined for any other. A stream of Kubernetes is named by
 * its kind, one of OVN by its source.
 */
export function changeName(key: string): ChangeName | undefined {
  const [, cluster, named, kind, uid] = KEY.exec(key) ?? [];
  const { success, data: source } = SourceId.safeParse(named);
  if (!success || cluster === undefined || kind === undefined || uid === undefined)
    return undefined;
  const ofKind = source === 'kubernetes' ? kubernetesStream(kind) : source;
  return { cluster, source, stream: isStreamRecord(kind) ? uid : ofKind, kind, uid };
}

/** Whether the kind in a key stands for news of a stream. */
export const isStreamRecord = (kind: string): boolean => kind.startsWith('_');

/**
 * Why a change cannot stand under the key; undefined when it can. Part by part, since a part that
 * has a slash in it makes two different things one key: kind `a`, uid `b/c` and kind `a/b`, uid
 * `c`.
 */
export function keyContradiction(key: string, change: Change): string | undefined {
  const name = changeName(key);
  const [kind, uid] =
    'uid' in change ? [change.kind, change.uid] : [`_${change.type}`, change.stream];
  const agrees =
    name?.cluster === change.cluster &&
    name.source === change.source &&
    name.kind === kind &&
    name.uid === uid &&
    isStreamRecord(kind) !== 'uid' in change;
  return agrees ? undefined : `its key is not ${changeKey(change)}, which it is about`;
}
