import { isRecord } from '../kubernetes/is-record';
import type { JsonPatch } from '../kubernetes/kubernetes';
import { sameJson } from '../kubernetes/same-json';

type Step = JsonPatch[number];

/**
 * The document after the patch (RFC 6902: add, remove, replace and test), sharing what it leaves
 * alone; undefined when a test does not hold or a path leads nowhere.
 */
export function applyJsonPatch<T>(document: T, patch: JsonPatch): T | undefined {
  let now: unknown = document;
  for (const step of patch) {
    const keys = step.path
      .split('/')
      .slice(1)
      .map((it) => it.replace(/~1/g, '/').replace(/~0/g, '~'));
    now =
      step.op === 'test'
        ? sameJson(keys.reduce(valueAt, now), step.value)
          ? now
          : undefined
        : applyAt(now, keys, step);
    if (now === undefined) return undefined;
  }
  return now as T;
}

function valueAt(parent: unknown, key: string): unknown {
  return (Array.isArray(parent) || isRecord(parent)) && Object.hasOwn(parent, key)
    ? (parent as Record<string, unknown>)[key]
    : undefined;
}

function applyAt(node: unknown, [key = '', ...deeper]: readonly string[], step: Step): unknown {
  if (deeper.length === 0)
    return Array.isArray(node) ? applyInList(node, key, step) : applyInMap(node, key, step);
  const child = applyAt(valueAt(node, key), deeper, step);
  return child === undefined
    ? undefined
    : Array.isArray(node)
      ? node.with(Number(key), child)
      : withKey(node as object, key, child);
}

/** Also for `__proto__`, which an assignment would take for something else. */
function withKey(map: object, key: string, value: unknown): object {
  return Object.defineProperty({ ...map }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function applyInMap(map: unknown, key: string, { op, value }: Step): unknown {
  if (!isRecord(map) || (op !== 'add' && !Object.hasOwn(map, key))) return undefined;
  if (op !== 'remove') return withKey(map, key, copyOf(value));
  const { [key]: _, ...rest } = map;
  return rest;
}

function applyInList(list: readonly unknown[], key: string, { op, value }: Step): unknown {
  const at = key === '-' ? list.length : Number(key);
  if (!Number.isInteger(at) || at < 0 || at > list.length || (op !== 'add' && at === list.length))
    return undefined;
  return list.toSpliced(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [copyOf(value)]));
}

const copyOf = (value: unknown): unknown =>
  typeof value === 'object' ? structuredClone(value) : value;
