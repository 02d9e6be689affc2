import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type CustomResourceDefinition, isDefinition, type KubernetesObject } from './objects';

/**
 * The CustomResourceDefinitions in a YAML file, or in those of a folder, with their schemas.
 * @throws Error when there is none.
 */
export function readDefinitionFiles(path: string): readonly CustomResourceDefinition[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((it) => /\.ya?ml$/.test(it))
        .sort()
        .map((it) => join(path, it))
    : [path];
  const found = files
    .flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')))
    .map((it) => it.toJS() as KubernetesObject | null)
    .filter((it): it is CustomResourceDefinition => it !== null && isDefinition(it));
  if (found.length === 0) throw new Error(`${path} holds no CustomResourceDefinition`);
  return found;
}
