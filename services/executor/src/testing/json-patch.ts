import { isRecord } from '@ovn-steward/reading/kubernetes/is-record';
import type { JsonPatch } from '../kubernetes/kubernetes';
import { sameJson } from '../kubernetes/same-json';

/** The document after the patch (RFC 6902: add, remove, replace and test); undefined when a test does not hold or a path leads nowhere. */
export function applyJsonPatch<T>(document: T, patch: JsonPatch): T | undefined {
  const copy = { document: structuredClone(document) as unknown };
  for (const { op, path, value } of patch) {
    const steps = ['document', ...path.split('/').slice(1).map((it) => it.replace(/~1/g, '/').replace(/~0/g, '~'))];
    const last = steps.pop()!;
    const parent = steps.reduce<unknown>((at, step) => (at === undefined ? undefined : valueAt(at, step)), copy);
    if (!applyAt(parent, op, last, value)) return undefined;
  }
  return copy.document as T;
}

function valueAt(parent: unknown, key: string): unknown {
  return (Array.isArray(parent) || isRecord(parent)) && Object.hasOwn(parent, key) ? (parent as Record<string, unknown>)[key] : undefined;
}

function applyAt(parent: unknown, op: JsonPatch[number]['op'], key: string, value: unknown): boolean {
  const held = valueAt(parent, key);
  if (op === 'test') return sameJson(held, value);
  if (op !== 'add' && held === undefined) return false;
  if (Array.isArray(parent)) return applyInList(parent, op, key, value);
  if (!isRecord(parent)) return false;
  if (op === 'remove') return delete parent[key];
  Object.defineProperty(parent, key, { value: structuredClone(value), enumerable: true, configurable: true, writable: true });
  return true;
}

function applyInList(list: unknown[], op: 'add' | 'remove' | 'replace', key: string, value: unknown): boolean {
  const at = key === '-' ? list.length : Number(key);
  if (!Number.isInteger(at) || at < 0 || at > list.length) return false;
  list.splice(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [structuredClone(value)]));
  return true;
}
