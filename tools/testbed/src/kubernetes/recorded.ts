import { readFileSync } from 'node:fs';
import type { KubernetesObject } from './objects';

/** The objects of a recording: one `List` as `kubectl get -o json` gives it. */
export function readRecordedObjects(file: string): KubernetesObject[] {
  const list = JSON.parse(readFileSync(file, 'utf8')) as { kind?: unknown; items?: unknown };
  if (list.kind !== 'List' || !Array.isArray(list.items))
    throw new Error(
      `${file} is not a recording: a JSON object of kind List with items was expected`,
    );
  return list.items as KubernetesObject[];
}
