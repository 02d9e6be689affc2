import type { Change } from '@ovn-steward/contracts/changes/change';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { contentHash, SetDigest } from '@ovn-steward/contracts/identity/ids';
import { KUBERNETES_STREAMS } from '@ovn-steward/shared/kinds';
import { streamNameOf } from '../world/stream-name';
import { type Built, pairedNode } from './builders';

/** The tables a collector would name, as far as rules read them. */
const NORTHBOUND = [
  'Logical_Switch',
  'Logical_Switch_Port',
  'Logical_Router',
  'Logical_Router_Port',
  'Logical_Router_Policy',
  'NAT',
  'Port_Group',
  'ACL',
  'Address_Set',
  'Load_Balancer',
  'Load_Balancer_Health_Check',
  'DHCP_Options',
  'Gateway_Chassis',
  'HA_Chassis_Group',
];

/** Writes changes as a collector would, and remembers what they amount to. */
export class History {
  readonly #seq = new Map<string, number>();
  readonly #present = new Map<string, Built>();
  readonly #lost = new Map<string, 'forbidden' | 'not-served'>();
  #minutes = 0;

  constructor(readonly cluster = 'test') {}

  /** Every stream listed and, but for what was put and a node whose port has its MAC, empty. */
  listEverything(kinds: readonly string[] = []): Change[] {
    return [...pairedNode().map((it) => this.put(it)), ...this.listNothingMore(kinds)];
  }

  /**
   * Every stream listed and, but for what was put, empty: nothing shows that the two systems are
   * one cluster.
   */
  listNothingMore(kinds: readonly string[] = []): Change[] {
    const streams = new Set(['ovn-nb', ...KUBERNETES_STREAMS, ...kinds.map(streamNameOf)]);
    return [...streams].map((it) => this.#end(it));
  }

  put(built: Built): Change {
    this.#present.set(`${built.kind} ${built.uid}`, built);
    return {
      type: 'put',
      ...this.#next(streamNameOf(built.kind)),
      ...built,
      hash: contentHash(built.object),
    };
  }

  remove(built: Built): Change[] {
    if (!this.#present.delete(`${built.kind} ${built.uid}`)) return [];
    const { kind, uid, name, namespace } = built;
    return [
      {
        type: 'delete',
        ...this.#next(streamNameOf(kind)),
        kind,
        uid,
        name,
        ...(namespace === undefined ? {} : { namespace }),
      },
    ];
  }

  /** The kind's stream cannot be read any more. */
  lose(kind: string, reason: 'forbidden' | 'not-served' = 'forbidden'): Change {
    const stream = streamNameOf(kind);
    this.#lost.set(stream, reason);
    return {
      type: 'unavailable',
      ...this.#next(stream),
      kinds: kindsIn(stream),
      reason,
      detail: 'lost by the test',
    };
  }

  /** A full read of the kind's stream begins. */
  begin(kind: string): Change {
    return { type: 'snapshot-begin', ...this.#next(streamNameOf(kind)) };
  }

  complete(kind: string): Change {
    this.#lost.delete(streamNameOf(kind));
    return this.#end(streamNameOf(kind));
  }

  /** All streams have reported everything up to `minutes` after the beginning. */
  heartbeats(minutes: number): Change[] {
    this.#minutes = minutes;
    return [...this.#seq.keys()].map((stream) => ({
      type: 'heartbeat',
      ...this.#next(stream),
      observedThrough: this.#at(),
    }));
  }

  /** What the whole history amounts to, reported to somebody who knew nothing. */
  fromNothing(): Change[] {
    const fresh = new History(this.cluster);
    return [
      ...[...this.#present.values()].map((it) => fresh.put(it)),
      ...fresh.listEverything([...this.#present.values()].map((it) => it.kind)),
      ...[...this.#lost].map(([stream, reason]) =>
        fresh.lose(
          stream.startsWith('kubernetes/') ? stream.slice('kubernetes/'.length) : 'Logical_Switch',
          reason,
        ),
      ),
    ];
  }

  #at(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#minutes * 60_000).toISOString();
  }

  #end(stream: string): Change {
    const digest = new SetDigest();
    for (const it of this.#present.values())
      if (streamNameOf(it.kind) === stream) digest.add(contentHash(it.object));
    return {
      type: 'snapshot-end',
      ...this.#next(stream),
      kinds: kindsIn(stream),
      count: digest.count,
      digest: digest.toString(),
    };
  }

  #next(stream: string) {
    const seq = (this.#seq.get(stream) ?? 0) + 1;
    this.#seq.set(stream, seq);
    const source: SourceId = stream.startsWith('kubernetes/') ? 'kubernetes' : (stream as SourceId);
    return {
      version: 1 as const,
      id: `${stream}-${seq}`,
      cluster: this.cluster,
      source,
      stream,
      epoch: 1,
      seq,
      cursor: '',
      observedAt: this.#at(),
    };
  }
}

/** What the stream holds: one Kubernetes kind, or the database's tables. */
const kindsIn = (stream: string): string[] =>
  stream.startsWith('kubernetes/') ? [stream.slice('kubernetes/'.length)] : NORTHBOUND;
