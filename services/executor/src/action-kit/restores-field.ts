import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';

/**
 * Why a record cannot be what gives the target of an action its field back; undefined when it can.
 * @param path of the one field there is.
 */
export function restoresField(target: Reference, path: string, undo: Undo): string | undefined {
  if (undo.of !== 'field') return `a field is to come back, and the record is of ${undo.of}`;
  const { kind, namespace, name, uid, value } = undo;
  if (
    target.source !== 'kubernetes' ||
    kind !== target.kind ||
    namespace !== target.namespace ||
    name !== target.name ||
    uid !== target.uid
  )
    return `the record is of another object than ${describe(target)}`;
  if (undo.path !== path) return `the record is of ${undo.path}, and ${path} was taken`;
  return typeof value === 'string' ? undefined : `the record of ${path} is no text`;
}
