import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import type { LogMirror, LogPlace, MirrorEntry, MirrorWrite, MirroredStream } from './mirror';

interface Held {
  owner: string;
  source: SourceId | '';
  kinds: readonly string[];
  opened: number;
  epoch: number;
  seq: number;
  readonly entries: Map<string, Map<string, MirrorEntry>>;
}

/** A mirror that ends with the process: for one-shot runs, which read everything once. */
export function memoryMirror(): LogMirror {
  const streams = new Map<string, Held>();
  let position = 0n;
  const entriesOf = (stream: string, kind: string): Map<string, MirrorEntry> | undefined =>
    streams.get(stream)?.entries.get(kind);

  const held = (stream: string): Held => {
    let mirrored = streams.get(stream);
    if (!mirrored)
      streams.set(
        stream,
        (mirrored = {
          owner: '',
          source: '',
          kinds: [],
          opened: 0,
          epoch: 0,
          seq: 0,
          entries: new Map(),
        }),
      );
    return mirrored;
  };
  const write = (stream: string, { kind, uid, entry }: MirrorWrite): void => {
    const { entries } = held(stream);
    let ofKind = entries.get(kind);
    if (!ofKind) entries.set(kind, (ofKind = new Map()));
    if (entry) ofKind.set(uid, entry);
    else ofKind.delete(uid);
  };
  const updateStream = ({ stream, source, epoch, seq, kinds }: MirroredStream): void => {
    const mirrored = held(stream);
    Object.assign(mirrored, {
      source,
      epoch,
      seq,
      opened: Math.max(mirrored.opened, epoch),
      ...(kinds && { kinds }),
    });
  };
  const move = (stream: string, { offsets, epoch, seq }: LogPlace): void => {
    if (offsets.length !== 1 || offsets[0]?.first !== position) return;
    position = offsets[0].next;
    Object.assign(held(stream), { epoch, seq });
  };

  return {
    openEpoch(stream, { id, source }, kinds, atLeast) {
      const mirrored = held(stream);
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
    get: (stream, kind, uid) => entriesOf(stream, kind)?.get(uid),
    *keys(stream) {
      for (const [kind, entries] of streams.get(stream)?.entries ?? []) {
        for (const uid of entries.keys()) yield [kind, uid];
      }
    },
    settle(stream, writes, place) {
      for (const mirrorWrite of writes) write(stream, mirrorWrite);
      if (place) move(stream, place);
    },
    position: () => position,
    heardOf: (stream) => streams.get(stream),
    streamHolding: (source, kind) =>
      [...streams].find(([, it]) => it.source === source && it.kinds.includes(kind))?.[0],
    fold(next, work) {
      work({ write, updateStream });
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
