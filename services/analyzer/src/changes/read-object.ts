import { isNestedBeyond } from '@ovn-steward/contracts/record/nesting';
import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { PROTECTED_TABLES } from '@ovn-steward/judgement/ownership/protected-tables';
import { SOUTHBOUND_KINDS } from '@ovn-steward/judgement/world/southbound-kinds';
import { projectedOrWhy } from '@ovn-steward/systems/projections/project';
import { Mismatch } from '@ovn-steward/systems/projections/shape';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Change, Put } from '@ovn-steward/contracts/changes/change';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { checkRow } from './row-shape';

/**
 * No field that is kept is nested so deeply; what is cannot be written as JSON again, which every
 * checkpoint does.
 */
const DEEPEST = 64;

/**
 * The change with what its object holds made certain, so that nothing which folds or judges it
 * meets a type it does not expect; or a clause that says why that cannot be. A writer of the topic
 * writes for every cluster of the partition: one record must not stop them all. Never throws.
 */
export function readObject(change: Change): Change | string {
  if (change.type !== 'put') return change;
  try {
    if (kubernetesKind(change.kind)) return ofKubernetes(change);
    // A kind that a newer collector reads: no rule here reads its content.
    if (change.source === 'kubernetes') return { ...change, object: {} };
    checkRow(change.kind, change.object);
    return change;
  } catch (error) {
    return error instanceof Mismatch && error.path.length > 0
      ? `${error.path.join('.')}: ${error.message}`
      : messageOf(error);
  }
}

/**
 * Why such a kind is not known by the source; undefined when it can. Relations and rules go by the
 * kind alone: a row published as an object would stand in for one of the database.
 */
export function strayed(change: Change): string | undefined {
  if (!('uid' in change)) return undefined;
  const { source, kind } = change;
  const isNorthbound = KNOWN_COLUMNS.has(kind) || PROTECTED_TABLES.has(kind);
  const isStray =
    (source !== 'ovn-sb' && SOUTHBOUND_KINDS.has(kind)) ||
    (source === 'kubernetes'
      ? isNorthbound
      : kubernetesKind(kind) !== undefined || (source === 'ovn-sb' && isNorthbound));
  return isStray ? `${kind} is nothing that ${source} has` : undefined;
}

/** Trimmed again by what this version reads: what it does not know of, nothing can trip over. */
function ofKubernetes(put: Put): Put | string {
  const projected = projectedOrWhy(put.kind, put.object);
  if (typeof projected === 'string') return projected;
  const { uid, namespace, name, object } = projected;
  if (uid !== put.uid || name !== put.name || namespace !== put.namespace)
    return 'its metadata names another object than the record does';
  return isNestedBeyond(object, DEEPEST)
    ? `it is nested more than ${DEEPEST} deep`
    : { ...put, object };
}
