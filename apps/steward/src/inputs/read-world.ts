import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { createCollector } from '@ovn-steward/collector';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { growWhileSmall } from '@ovn-steward/shared/heap-growth';
import { engineFor } from './engine-for';
import type { Inputs } from './sources';
import { worldMirror } from './world-mirror';

export interface ReadWorldOptions {
  /** Live sources that say nothing for this long are given up, in milliseconds. */
  readonly timeoutMs: number;
  readonly onProgress?: (received: number) => void;
  /** Called with everything that was read, in its order. */
  readonly onChanges?: (changes: readonly Change[]) => void;
}

/**
 * Reads every source once, in full, and judges what it holds: the same collector, world and rules
 * as the pipeline, with nothing written anywhere. Live sources are left as soon as each has
 * reported whether it is complete.
 *
 * @throws Failure when a source cannot be read at all; `uninstall-refused` where a person stated of
 *   this cluster, or of another, that Kube-OVN was uninstalled, and it was not.
 */
export async function readWorld(
  inputs: Inputs,
  settings: Settings,
  options: ReadWorldOptions,
): Promise<Engine> {
  const engine = engineFor(settings, !inputs.live);
  const reading = inputs.live ? engine : readingOnce(engine);
  const enough = new AbortController();
  const waiting = new Set(inputs.streams);
  let progress = 0;
  const collectIfLarge = growWhileSmall();
  const collector = createCollector({
    cluster: settings.cluster,
    sources: inputs.sources,
    mirror: worldMirror(engine.world),
    clock: () => new Date(),
    publish: async (changes) => {
      reading.apply(changes);
      collectIfLarge();
      options.onChanges?.(changes);
      progress += changes.length;
      options.onProgress?.(progress);
      for (const { type, stream } of changes)
        if (type === 'snapshot-end' || type === 'unavailable') waiting.delete(stream);
      if (inputs.live && waiting.size === 0) enough.abort();
    },
  });
  const timer = inputs.live ? setTimeout(() => enough.abort(), options.timeoutMs) : undefined;
  try {
    await collector.run(enough.signal);
  } finally {
    clearTimeout(timer);
  }
  if ('end' in reading) reading.end();
  const unread = unreadable(engine);
  if (unread) throw new Failure('source-unreachable', unread);
  if (inputs.live && waiting.size > 0) {
    const silent = [...waiting];
    const why = silent.map((it) => inputs.trouble.get(it)).find((it) => it !== undefined);
    throw new Failure(
      'source-unreachable',
      `No complete answer within ${Math.round(options.timeoutMs / 1000)} s from ${silent.slice(0, 5).join(', ')}${why ? `: ${why}` : '; is the server there?'} --timeout waits longer`,
    );
  }
  const refused = engine.refusedStatement();
  if (refused !== undefined)
    throw new Failure(
      'uninstall-refused',
      `That Kube-OVN was uninstalled is not believed: ${refused}. Nothing was judged or done. Leave out --uninstalled and the setting uninstalled, or name the cluster it was uninstalled from.`,
    );
  return engine;
}

/**
 * Recordings hold each thing once, and nothing moves after the last: all of them are folded first.
 * What says how complete they are comes last, of the databases before Kubernetes, whichever was
 * read sooner: what is found is first seen at the time that the sources had reported by then.
 */
function readingOnce(engine: Engine) {
  const ends: Change[][] = [];
  return {
    apply(changes: readonly Change[]): void {
      const said = changes.filter(isEnd);
      const contents = changes.filter((it) => !isEnd(it));
      engine.foldUnjudged(contents, { checked: true });
      if (said.length > 0) ends.push(said);
    },
    end(): void {
      const ofKubernetes = ([first]: Change[]): boolean => first?.source === 'kubernetes';
      for (const change of ends.filter((it) => !ofKubernetes(it))) engine.apply(change);
      for (const change of ends.filter(ofKubernetes)) engine.apply(change);
    },
  };
}

const isEnd = ({ type }: Change): boolean =>
  type === 'snapshot-end' || type === 'unavailable' || type === 'heartbeat';

const UNREADABLE = new Set(['unreachable', 'forbidden']);

/**
 * A database that cannot be reached, or a cluster that lets us read nothing, is an error: there is
 * nothing to report on.
 */
function unreadable(engine: Engine): string | undefined {
  const streams = engine.streams();
  for (const source of new Set(streams.map((it) => it.source))) {
    const states = streams.filter((it) => it.source === source).map((it) => it.completeness);
    const first = states[0];
    if (
      first?.state === 'unavailable' &&
      states.every((it) => it.state === 'unavailable' && UNREADABLE.has(it.reason))
    )
      return first.detail;
  }
  return undefined;
}
