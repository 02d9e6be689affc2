import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import { KEPT_METADATA, PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';

const WHOLE: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);
const METADATA: ReadonlySet<string> = new Set(KEPT_METADATA);

/**
 * Why a record cannot be what makes the object again that an action removed, as `manifestOf` writes
 * it; undefined when it can.
 */
export function restoresObject(
  kinds: readonly string[],
  target: Reference,
  undo: Undo,
): string | undefined {
  if (undo.of !== 'object') return `an object is to come back, and the record is of ${undo.of}`;
  const { kind, manifest } = undo;
  const title = describe(target);
  if (target.source !== 'kubernetes' || !kinds.includes(target.kind))
    return `objects of kind ${kinds.join(' or ')} were removed, not ${title}`;
  const { metadata } = manifest;
  if (
    kind !== target.kind ||
    manifest['kind'] !== kind ||
    !isRecord(metadata) ||
    metadata['name'] !== target.name ||
    metadata['namespace'] !== target.namespace
  )
    return `the record is of another object than ${title}, which was removed`;
  const entry = kubernetesKind(kind);
  if (entry === undefined || manifest['apiVersion'] !== apiVersionOf(entry))
    return `the record of ${title} is of another API, ${JSON.stringify(manifest['apiVersion'])}`;
  const strange =
    Object.keys(manifest).find((it) => !WHOLE.has(it)) ??
    Object.keys(metadata).find((it) => !METADATA.has(it));
  if (strange !== undefined) return `the record of ${title} has ${strange}, which none ever has`;
  const { annotations } = metadata;
  return isRecord(annotations) && Object.hasOwn(annotations, PUT_BACK)
    ? `the record of ${title} has the mark ${PUT_BACK}, which none ever has`
    : undefined;
}
