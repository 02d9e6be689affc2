import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import { KUBERNETES_KINDS, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { fileFailure } from './entries';

export interface DumpFile {
  readonly path: string;
  /** Set when the file stands for one kind. */
  readonly kind?: KubernetesKind;
}

/** What a path given as a recording holds. */
export interface RecordingLayout {
  /** The folder in which `listed.json` would be. */
  readonly folder: string;
  /** Empty when there is nothing but a watch. */
  readonly files: readonly DumpFile[];
  readonly watch?: string;
}

const EXTENSIONS = ['.json', '.ndjson', '.yaml', '.yml'];

/** `pods`, `Pod`, `ips.kubeovn.io`, `ips.v1.kubeovn.io`: what kubectl accepts as a resource. */
const KIND_BY_NAME = new Map(
  KUBERNETES_KINDS.flatMap((kubernetesKind) => {
    const names = [kubernetesKind.kind.toLowerCase(), kubernetesKind.resource];
    if (kubernetesKind.group !== '')
      names.push(
        `${kubernetesKind.resource}.${kubernetesKind.group}`,
        `${kubernetesKind.resource}.${kubernetesKind.version}.${kubernetesKind.group}`,
      );
    return names.map((name) => [name, kubernetesKind] as const);
  }),
);

const stem = (file: string): string => basename(file, extname(file)).toLowerCase();

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw fileFailure(path, error);
  }
}

async function filesIn(folder: string): Promise<readonly DumpFile[]> {
  const names = (
    await readdir(folder).catch((error: unknown) => {
      throw fileFailure(folder, error);
    })
  )
    .filter((it) => EXTENSIONS.includes(extname(it)))
    .sort();
  const whole = names.filter((it) => stem(it) === 'kubernetes');
  const byKind = names.flatMap((name) => {
    const kind = KIND_BY_NAME.get(stem(name));
    return kind === undefined ? [] : [{ path: join(folder, name), kind }];
  });
  if (whole.length > 1 || (whole.length > 0 && byKind.length > 0))
    throw new Failure(
      'input-not-a-dump',
      `${folder} holds more than one dump (${[...whole, ...byKind.map((it) => basename(it.path))].join(', ')}); keep either kubernetes.json or a file per kind.`,
    );
  const twice = byKind.find((it, at) => byKind.findIndex((other) => other.kind === it.kind) !== at);
  if (twice !== undefined)
    throw new Failure(
      'input-not-a-dump',
      `${folder} holds more than one file for ${twice.kind.kind} (${basename(twice.path)} is one); keep one.`,
    );
  return whole.length > 0 ? whole.map((it) => ({ path: join(folder, it) })) : byKind;
}

/**
 * Finds what there is to read: a file is one dump; a folder has `kubernetes.json` (or .ndjson,
 * .yaml) or a file per kind, named by the resource or the kind, and may have a `watch.ndjson`.
 * Other files are left alone.
 *
 * @throws Failure `input-not-found`, `input-unreadable`, `input-not-a-dump`.
 */
export async function recordingLayoutOf(path: string): Promise<RecordingLayout> {
  if (!(await isFolder(path))) {
    return basename(path) === 'watch.ndjson'
      ? { folder: dirname(path), files: [], watch: path }
      : { folder: dirname(path), files: [{ path }] };
  }
  const files = await filesIn(path);
  const watch = join(path, 'watch.ndjson');
  return existsSync(watch) ? { folder: path, files, watch } : { folder: path, files };
}
