import { basename } from 'node:path';
import {
  KUBERNETES_KINDS,
  crdNameOf,
  apiGroupOf,
  type KubernetesKind,
} from '@ovn-steward/shared/kinds';
import type { UnavailableReason } from '../../source-kit/source';
import type { KindRead } from './kind-read';
import type { DumpFile } from './layout';
import type { Listed } from './listed';

export type RecordingVerdict =
  | { readonly complete: true; readonly cursor: string }
  | { readonly complete: false; readonly reason: UnavailableReason; readonly detail: string };

/** Everything that was read, for judging what of it is whole. */
interface Evidence {
  readonly files: readonly DumpFile[];
  readonly listed: Listed | undefined;
  readonly reads: ReadonlyMap<string, KindRead>;
  /** metadata.resourceVersion of the single list. */
  readonly cursor: string;
}

const unavailable = (reason: UnavailableReason, detail: string): RecordingVerdict => ({
  complete: false,
  reason,
  detail,
});

/** A kind with a file of its own: whole when that file is a list that ended. */
function byFile(kind: KubernetesKind, file: DumpFile, read: KindRead): RecordingVerdict {
  const name = basename(file.path);
  if (read.list?.partial !== undefined)
    return unavailable(
      'not-listed',
      `${name} does not hold every ${kind.kind}: ${read.list.partial}. Record it again in one piece.`,
    );
  if (read.list !== undefined) return { complete: true, cursor: read.list.resourceVersion };
  return read.count === 0
    ? unavailable(
        'not-listed',
        `${name} is empty, not even an empty list: kubectl may have been refused, or the cluster has no such resource.`,
      )
    : unavailable(
        'not-listed',
        `${name} is no list, so it is not known whether it holds every ${kind.kind}: record it with kubectl get -A -o json, or put a listed.json with counts beside it.`,
      );
}

function notHeld(kind: KubernetesKind, evidence: Evidence, read: KindRead): RecordingVerdict {
  const [single] = evidence.files;
  const holds =
    read.count > 0
      ? `holds ${read.count} of ${kind.kind}, but nothing says that these are all`
      : `holds no ${kind.kind}, and nothing says that there is none`;
  if (single !== undefined && single.kind === undefined)
    return unavailable(
      'not-listed',
      `${basename(single.path)} ${holds}: put a listed.json beside it, or record one file per kind (docs/recordings.md).`,
    );
  return unavailable(
    'not-listed',
    `The recording has no file ${kind.resource}${kind.group.includes('.') ? `.${kind.group}` : ''}.json, so nothing is known of ${kind.kind}.`,
  );
}

function judge(kind: KubernetesKind, read: KindRead, evidence: Evidence): RecordingVerdict {
  const { listed } = evidence;
  if (read.broken !== undefined) return unavailable('broken', read.broken);
  const entry = listed?.kinds.find(
    (it) => it.kind === kind.kind && apiGroupOf(it.apiVersion) === kind.group,
  );
  if (entry !== undefined && entry.count !== read.count)
    return unavailable(
      'broken',
      `The dump is truncated or altered: listed.json says ${entry.count} of ${kind.kind}, the dump holds ${read.count}. Record it again.`,
    );
  const listedReason = listed?.unavailable?.find((it) => it.kind === kind.kind);
  if (listedReason !== undefined) return unavailable(listedReason.reason, listedReason.detail);
  if (listed?.complete === false)
    return unavailable(
      'not-listed',
      'listed.json says that the recording was not finished (complete: false). Record it again.',
    );
  const file = evidence.files.find((it) => it.kind === kind);
  if (entry !== undefined)
    return {
      complete: true,
      cursor: entry.resourceVersion ?? read.list?.resourceVersion ?? evidence.cursor,
    };
  return file === undefined ? notHeld(kind, evidence, read) : byFile(kind, file, read);
}

/**
 * The CustomResourceDefinitions are all known and the kind's is not among them: the cluster does
 * not have the kind.
 */
function notServed(
  kind: KubernetesKind,
  verdicts: ReadonlyMap<string, RecordingVerdict>,
  evidence: Evidence,
): boolean {
  const crd = crdNameOf(kind);
  const definitions = evidence.reads.get('CustomResourceDefinition');
  return (
    crd !== undefined &&
    verdicts.get('CustomResourceDefinition')?.complete === true &&
    definitions?.keys.has(crd) === false
  );
}

/**
 * Says of every kind of the catalogue whether the recording holds it completely, and if not, why
 * not. Pure. Absence of a word for a kind is never taken for absence of its objects.
 */
export function verdictsOf(evidence: Evidence): ReadonlyMap<string, RecordingVerdict> {
  const readOf = (kind: KubernetesKind): KindRead => evidence.reads.get(kind.kind) as KindRead;
  const first = new Map(
    KUBERNETES_KINDS.map((kind) => [kind.kind, judge(kind, readOf(kind), evidence)]),
  );
  return new Map(
    KUBERNETES_KINDS.map((kind): [string, RecordingVerdict] => {
      const verdict = first.get(kind.kind) as RecordingVerdict;
      const unheld =
        !verdict.complete && verdict.reason === 'not-listed' && readOf(kind).count === 0;
      return unheld && notServed(kind, first, evidence)
        ? [
            kind.kind,
            unavailable(
              'not-served',
              `The cluster has no CustomResourceDefinition ${crdNameOf(kind) ?? ''}, so it does not serve ${kind.kind}.`,
            ),
          ]
        : [kind.kind, verdict];
    }),
  );
}
