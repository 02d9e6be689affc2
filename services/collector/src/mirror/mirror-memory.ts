import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import type { LogMirror, MirrorEntry, MirrorWrite, MirroredStream } from './mirror';

interface Held {
  owner: string;
  source: SourceId | '';
  kinds: readonly string[];
  opened: number;
  epoch: number;
  seq: number;
  readonly entries: Map<string, Map<string, MirrorEntry>>;
}

type Streams = Map<string, Held>;

/** A mirror that ends with the process: for one-shot runs, which read everything once. */
export function memoryMirror(): LogMirror {
  const streams: Streams = new Map();
  let position = 0n;

  return {
    openEpoch(stream, { id, source }, kinds, atLeast) {
      const mirrored = held(streams, stream);
      return Object.assign(mirrored, {
        owner: id,
        source,
        kinds,
        opened: Math.max(mirrored.opened + 1, atLeast),
      }).opened;
    },
    streamsOf: ({ id, source }) =>
      [...streams]
        .filter(([, it]) => it.owner === id || (it.owner === '' && it.source === source))
        .map(([stream, it]) => ({ stream, kinds: it.kinds })),
    get: (stream, kind, uid) => streams.get(stream)?.entries.get(kind)?.get(uid),
    *keys(stream) {
      for (const [kind, entries] of streams.get(stream)?.entries ?? []) {
        for (const uid of entries.keys()) yield [kind, uid];
      }
    },
    commit(stream, writes, place) {
      for (const mirrorWrite of writes) write(streams, stream, mirrorWrite);
      if (place?.offsets.length !== 1 || place.offsets[0]?.first !== position) return;
      position = place.offsets[0].next;
      Object.assign(held(streams, stream), { epoch: place.epoch, seq: place.seq });
    },
    position: () => position,
    positionOf: (stream) => streams.get(stream),
    streamHolding: (source, kind) =>
      [...streams].find(([, it]) => it.source === source && it.kinds.includes(kind))?.[0],
    fold(next, work) {
      work({
        write: (stream, mirrorWrite) => write(streams, stream, mirrorWrite),
        updateStream: (state) => updateStream(streams, state),
      });
      position = next;
    },
    reset() {
      position = 0n;
      for (const stream of streams.values()) {
        stream.entries.clear();
        Object.assign(stream, { epoch: 0, seq: 0 });
      }
    },
    close: () => streams.clear(),
  };
}

function held(streams: Streams, stream: string): Held {
  const known = streams.get(stream);
  if (known) return known;
  const mirrored: Held = {
    owner: '',
    source: '',
    kinds: [],
    opened: 0,
    epoch: 0,
    seq: 0,
    entries: new Map(),
  };
  streams.set(stream, mirrored);
  return mirrored;
}

function write(streams: Streams, stream: string, { kind, uid, entry }: MirrorWrite): void {
  const { entries } = held(streams, stream);
  let ofKind = entries.get(kind);
  if (!ofKind) entries.set(kind, (ofKind = new Map()));
  if (entry) ofKind.set(uid, entry);
  else ofKind.delete(uid);
}

function updateStream(
  streams: Streams,
  { stream, source, epoch, seq, kinds }: MirroredStream,
): void {
  const mirrored = held(streams, stream);
  Object.assign(mirrored, {
    source,
    epoch,
    seq,
    opened: Math.max(mirrored.opened, epoch),
    ...(kinds && { kinds }),
  });
}
