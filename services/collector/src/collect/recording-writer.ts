import { existsSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { KUBERNETES_KINDS, apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { PRIVATE_FILE, privateFolder } from '@ovn-steward/shared/private-files';
import { project } from '@ovn-steward/systems/projections/project';
import type { Observation, UnavailableReason } from '../source-kit/source';

/** What is to be written of one kind: its objects as JSON, by uid. */
interface KindState {
  objects: Map<string, string>;
  complete: { readonly cursor: string } | undefined;
  unavailable: { readonly reason: UnavailableReason; readonly detail: string } | undefined;
  through: string | undefined;
}

interface RecordingOptions {
  /**
   * RFC 3339: everything was read at this time or later. Default: the earliest watermark of the
   * complete kinds.
   */
  readonly asOf?: string;
}

/**
 * Trimmed once more, for every caller: nothing that rules do not read may reach a file that people
 * pass on.
 */
function jsonOf(kind: string, object: Record<string, unknown>): string {
  const entry = kubernetesKind(kind);
  return JSON.stringify({
    apiVersion: entry && apiVersionOf(entry),
    kind,
    ...project(kind, object).object,
  });
}

function take(states: ReadonlyMap<string, KindState>, observation: Observation): void {
  const kinds =
    'kinds' in observation
      ? observation.kinds
      : 'kind' in observation
        ? [observation.kind]
        : [observation.stream.slice('kubernetes/'.length)];
  if (!observation.stream.startsWith('kubernetes/')) return;
  for (const kind of kinds) {
    const state = states.get(kind);
    if (state === undefined) continue;
    if (observation.type === 'begin') state.objects = new Map();
    if (observation.type === 'begin' || observation.type === 'unavailable')
      state.complete = undefined;
    if (observation.type === 'complete')
      Object.assign(state, { complete: { cursor: observation.cursor }, unavailable: undefined });
    if (observation.type === 'unavailable')
      state.unavailable = { reason: observation.reason, detail: observation.detail };
    if (observation.type === 'object')
      state.objects.set(observation.uid, jsonOf(kind, observation.object));
    if (observation.type === 'gone') state.objects.delete(observation.uid);
    if (observation.type === 'progress') state.through = observation.through;
  }
}

async function writeDump(path: string, states: ReadonlyMap<string, KindState>): Promise<void> {
  const file = await open(`${path}.part`, 'wx', PRIVATE_FILE);
  try {
    await file.write(
      '{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":[',
    );
    let separator = '\n';
    for (const { objects } of states.values()) {
      let lines = '';
      for (const json of objects.values()) {
        lines += separator + json;
        separator = ',\n';
        if (lines.length < 1 << 20) continue;
        await file.write(lines);
        lines = '';
      }
      await file.write(lines);
    }
    await file.write('\n]}\n');
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

function listedOf(states: ReadonlyMap<string, KindState>, asOf: string | undefined): object {
  const throughs = [...states.values()].flatMap((it) =>
    it.complete !== undefined && it.through !== undefined ? [it.through] : [],
  );
  const earliest = throughs.reduce<string | undefined>(
    (first, it) => (first === undefined || Date.parse(it) < Date.parse(first) ? it : first),
    undefined,
  );
  return {
    complete: true,
    asOf: asOf ?? earliest,
    kinds: KUBERNETES_KINDS.flatMap((definition) => {
      const { complete, objects } = states.get(definition.kind) as KindState;
      return complete === undefined
        ? []
        : [
            {
              apiVersion: apiVersionOf(definition),
              kind: definition.kind,
              resource: definition.resource,
              namespaced: definition.namespaced,
              count: objects.size,
              resourceVersion: complete.cursor,
            },
          ];
    }),
    unavailable: [...states].flatMap(([kind, { complete, unavailable }]) =>
      complete === undefined && unavailable !== undefined ? [{ kind, ...unavailable }] : [],
    ),
  };
}

/**
 * Writes what a source of Kubernetes objects says, as it stands when the source ends, into a folder
 * that `kubernetesRecording` reads: `kubernetes.json`, one List with an object a line, and after it
 * `listed.json`, which names the kinds read completely. Holds the trimmed objects in memory (about
 * 1 KB each). A kind of which nothing was heard is named nowhere.
 *
 * @returns how many objects were written.
 * @throws Failure `config-invalid` when the folder already holds a recording, `object-malformed`
 *   when an object is not of its kind, `output-unwritable`.
 */
export async function writeRecording(
  folder: string,
  observations: AsyncIterable<readonly Observation[]>,
  options: RecordingOptions = {},
): Promise<number> {
  privateFolder(folder);
  for (const name of ['kubernetes.json', 'kubernetes.json.part', 'listed.json']) {
    if (existsSync(join(folder, name)))
      throw new Failure(
        'config-invalid',
        `${folder} already holds a recording (${name}); give another folder, or remove it.`,
      );
  }
  const states = new Map(
    KUBERNETES_KINDS.map(({ kind }): [string, KindState] => [
      kind,
      { objects: new Map(), complete: undefined, unavailable: undefined, through: undefined },
    ]),
  );
  for await (const batch of observations)
    for (const observation of batch) take(states, observation);
  await writeFiles(folder, states, options.asOf);
  return [...states.values()].reduce((sum, it) => sum + it.objects.size, 0);
}

async function writeFiles(
  folder: string,
  states: ReadonlyMap<string, KindState>,
  asOf: string | undefined,
): Promise<void> {
  try {
    await writeDump(join(folder, 'kubernetes.json'), states);
    const listed = `${JSON.stringify(listedOf(states, asOf), null, 1)}\n`;
    await writeFile(join(folder, 'listed.json'), listed, { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'output-unwritable',
      `${folder} cannot be written: ${messageOf(error)}. Check its permissions and the free space, and give another folder.`,
      { cause: error },
    );
  }
}
