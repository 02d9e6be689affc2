import type { Change } from '@ovn-steward/contracts/changes/change';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { crdNameOf, kubernetesKind, KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { RELATIONS } from '../relations/registry';
import { TALLIES } from '../tallies/registry';
import { streamNameOf } from '../world/stream-name';
import { World } from '../world/world';
import { type Built, pairedNode } from './builders';

const AT = '2026-01-01T00:00:00Z';
const CLUSTER = 'test';

/** What shows which of our kinds are installed. */
const DEFINITIONS = KUBERNETES_KINDS.flatMap((kind) => {
  const name = crdNameOf(kind);
  return name
    ? [
        {
          of: kind.kind,
          built: {
            kind: 'CustomResourceDefinition',
            uid: `crd-${name}`,
            name,
            object: { metadata: { name, uid: `crd-${name}` } },
          } satisfies Built,
        },
      ]
    : [];
});
/** What shows that both systems are one cluster. No chassis holds it, as after an uninstall. */
const GROUND = pairedNode('paired-1', { up: false });
const hashes = new WeakMap<object, string>();

function hashOf(object: object): string {
  let hash = hashes.get(object);
  if (hash === undefined) hashes.set(object, (hash = contentHash(object)));
  return hash;
}

/**
 * A small world for tests: what was given and a node whose port has its MAC, everything else listed
 * completely and empty. `unlisted` makes a kind unknown, `notInstalled` one whose API is not there.
 */
export class TestWorld {
  constructor(
    readonly given: readonly Built[],
    readonly missing: ReadonlyMap<string, 'not-listed' | 'not-served'> = new Map(),
  ) {}

  unlisted(...kinds: string[]): TestWorld {
    return new TestWorld(
      this.given,
      new Map([...this.missing, ...kinds.map((it) => [it, 'not-listed'] as const)]),
    );
  }

  notInstalled(...kinds: string[]): TestWorld {
    return new TestWorld(
      this.given,
      new Map([...this.missing, ...kinds.map((it) => [it, 'not-served'] as const)]),
    );
  }

  with(...more: Built[]): TestWorld {
    return new TestWorld([...this.given, ...more], this.missing);
  }

  /** Without any object of that kind, and nobody knowing that there is none. */
  unheardOf(kind: string): TestWorld {
    return new TestWorld(
      this.given.filter((it) => it.kind !== kind),
      this.missing,
    ).unlisted(kind);
  }

  /** Everything given, changed. */
  map(change: (built: Built) => Built): TestWorld {
    return new TestWorld(this.given.map(change), this.missing);
  }

  /** The changes that make this world from nothing. */
  changes(): Change[] {
    const streams = new Map<string, Built[]>([
      ['ovn-nb', []],
      ['ovn-sb', []],
      ...KUBERNETES_KINDS.map((it) => [`kubernetes/${it.kind}`, []] as [string, Built[]]),
    ]);
    for (const it of [...GROUND, ...this.given, ...this.#definitions()])
      streams.get(streamNameOf(it.kind))!.push(it);
    return [...streams].flatMap(([stream, built]) => this.#stream(stream, built));
  }

  fold(): World {
    const world = new World(RELATIONS, TALLIES);
    for (const change of this.changes()) world.fold(change, { checked: false });
    return world;
  }

  #definitions(): Built[] {
    return DEFINITIONS.filter(({ of }) => this.missing.get(of) !== 'not-served').map(
      ({ built }) => built,
    );
  }

  #stream(stream: string, built: readonly Built[]): Change[] {
    const source: SourceId = stream.startsWith('kubernetes/') ? 'kubernetes' : (stream as SourceId);
    const kinds =
      source === 'kubernetes'
        ? [stream.slice('kubernetes/'.length)]
        : [...new Set(built.map((it) => it.kind))];
    let seq = 0;
    const base = () => ({
      version: 1 as const,
      id: `${stream}-${++seq}`,
      cluster: CLUSTER,
      source,
      stream,
      epoch: 1,
      seq,
      cursor: '',
      observedAt: AT,
    });
    const puts = built.map((thing): Change => ({
      type: 'put',
      ...base(),
      ...thing,
      hash: hashOf(thing.object),
    }));
    // Leaving out one Northbound table makes the whole database unknown: it is read as one.
    const missing =
      source === 'kubernetes'
        ? (this.missing.get(kinds[0]!) ??
          [...this.missing].find(([kind]) => streamNameOf(kind) === stream)?.[1])
        : [...this.missing].find(
            ([kind]) => !kubernetesKind(kind) && streamNameOf(kind) === stream,
          )?.[1];
    const end: Change = missing
      ? { type: 'unavailable', ...base(), kinds, reason: missing, detail: 'left out by the test' }
      : { type: 'snapshot-end', ...base(), kinds, count: puts.length, digest: '' };
    return [...puts, end];
  }
}

/** The world that holds exactly this. */
export const world = (...given: Built[]): TestWorld => new TestWorld(given);
