import type { Mirror, MirrorEntry } from './mirror';

interface Held {
  epoch: number;
  source: string;
  kinds: readonly string[];
  readonly entries: Map<string, Map<string, MirrorEntry>>;
}

/** A mirror that ends with the process: for one-shot runs, which read everything once. */
export function memoryMirror(): Mirror {
  const streams = new Map<string, Held>();
  const entriesOf = (stream: string, kind: string): Map<string, MirrorEntry> | undefined => streams.get(stream)?.entries.get(kind);

  const held = (stream: string): Held => {
    let it = streams.get(stream);
    if (!it) streams.set(stream, (it = { epoch: 0, source: '', kinds: [], entries: new Map() }));
    return it;
  };
  const put = (stream: string, kind: string, uid: string, entry: MirrorEntry): void => {
    const { entries } = held(stream);
    let ofKind = entries.get(kind);
    if (!ofKind) entries.set(kind, (ofKind = new Map()));
    ofKind.set(uid, entry);
  };

  return {
    openEpoch(stream, source, kinds) {
      const it = held(stream);
      it.epoch += 1;
      it.source = source;
      it.kinds = kinds;
      return it.epoch;
    },
    streamsOf: (source) => [...streams].filter(([, it]) => it.source === source).map(([stream, it]) => ({ stream, kinds: it.kinds })),
    get: (stream, kind, uid) => entriesOf(stream, kind)?.get(uid),
    *keys(stream) {
      for (const [kind, entries] of streams.get(stream)?.entries ?? []) {
        for (const uid of entries.keys()) yield [kind, uid];
      }
    },
    doubt(stream, writes) {
      for (const { kind, uid, entry } of writes) {
        const known = entry ?? entriesOf(stream, kind)?.get(uid);
        if (known) put(stream, kind, uid, { ...known, hash: '' });
      }
    },
    settle(stream, writes) {
      for (const { kind, uid, entry } of writes) {
        if (entry) put(stream, kind, uid, entry);
        else entriesOf(stream, kind)?.delete(uid);
      }
    },
    close: () => streams.clear(),
  };
}
