import type { LogMirror, MirrorWrite } from './mirror';

const write = (uid: string, hash: string | null, kind = 'Pod'): MirrorWrite => ({
  kind,
  uid,
  entry: hash === null ? null : { hash, name: uid, namespace: 'shop' },
});

/** What every mirror must do. `open` gives an empty one. */
export function describeMirror(name: string, open: () => LogMirror): void {
  describe(`${name} (mirror contract)`, () => {
    let mirror: LogMirror;
    beforeEach(() => {
      mirror = open();
    });
    afterEach(() => mirror.close());
    const hash = (uid: string, kind = 'Pod'): string | undefined =>
      mirror.get('s', kind, uid)?.hash;

    it('holds what was committed, per stream, kind and uid', () => {
      mirror.commit('s', [write('a', 'h1'), write('a', 'h2', 'Node')]);
      mirror.commit('t', [write('a', 'h3')]);
      expect(mirror.get('s', 'Pod', 'a')).toEqual({ hash: 'h1', name: 'a', namespace: 'shop' });
      expect(hash('a', 'Node')).toBe('h2');
      expect([...mirror.keys('s')].sort()).toEqual([
        ['Node', 'a'],
        ['Pod', 'a'],
      ]);
      expect(mirror.get('u', 'Pod', 'a')).toBeUndefined();
    });

    it('keeps an absent namespace absent', () => {
      mirror.commit('s', [{ kind: 'Node', uid: 'n', entry: { hash: 'h', name: 'n' } }]);
      expect(mirror.get('s', 'Node', 'n')).toEqual({ hash: 'h', name: 'n' });
    });

    it('removes what was committed as gone', () => {
      mirror.commit('s', [write('a', 'h1')]);
      mirror.commit('s', [write('a', null), write('never-there', null)]);
      expect([...mirror.keys('s')]).toEqual([]);
    });

    it('takes the last word of a batch', () => {
      mirror.commit('s', [
        write('a', 'h1'),
        write('a', null),
        write('a', 'h2'),
        write('b', 'h3'),
        write('b', null),
      ]);
      expect([hash('a'), hash('b')]).toEqual(['h2', undefined]);
    });

    const nb = { id: 'nb', source: 'ovn-nb' } as const;
    const pods = { id: 'recording', source: 'kubernetes' } as const;

    it('gives growing epochs, none below what is asked for, and remembers whose stream it was', () => {
      expect([
        mirror.openEpoch('s', nb, ['A'], 0),
        mirror.openEpoch('s', nb, ['A', 'B'], 0),
      ]).toEqual([1, 2]);
      expect([
        mirror.openEpoch('s', nb, ['A', 'B'], 2 ** 40),
        mirror.openEpoch('s', nb, ['A', 'B'], 2 ** 40),
      ]).toEqual([2 ** 40, 2 ** 40 + 1]);
      expect(mirror.openEpoch('t', pods, ['Pod'], 7)).toBe(7);
      expect(mirror.streamsOf(nb)).toEqual([{ stream: 's', kinds: ['A', 'B'] }]);
      expect(mirror.streamsOf({ id: 'nobody', source: 'ovn-nb' })).toEqual([]);
    });

    it('learns streams from the log, where every owner of their source may be meant', () => {
      mirror.fold(5n, ({ updateStream }) => {
        updateStream({ stream: 's', source: 'kubernetes', epoch: 9, seq: 2, kinds: ['Pod'] });
        updateStream({ stream: 's', source: 'kubernetes', epoch: 9, seq: 3 });
      });
      expect(mirror.positionOf('s')).toMatchObject({ epoch: 9, seq: 3, opened: 9 });
      expect(mirror.streamsOf(pods)).toEqual([{ stream: 's', kinds: ['Pod'] }]);
      expect(mirror.streamsOf(nb)).toEqual([]);
      expect(mirror.streamHolding('kubernetes', 'Pod')).toBe('s');
      expect(mirror.streamHolding('ovn-nb', 'Pod')).toBeUndefined();
      expect(mirror.openEpoch('s', pods, ['Pod'], 0)).toBe(10);
      expect(mirror.streamsOf({ id: 'other', source: 'kubernetes' })).toEqual([]);
      mirror.fold(6n, ({ updateStream }) =>
        updateStream({ stream: 's', source: 'kubernetes', epoch: 4, seq: 1 }),
      );
      expect(mirror.positionOf('s')).toMatchObject({ epoch: 4, seq: 1, opened: 10 });
    });

    it('moves its position with what it folds, and reads its own writes meanwhile', () => {
      expect(mirror.position()).toBe(0n);
      mirror.commit('s', [write('a', 'h1')]);
      mirror.fold(17n, (into) => {
        into.write('s', write('b', 'h2'));
        expect(hash('b')).toBe('h2');
        into.write('s', write('a', null));
      });
      expect([mirror.position(), hash('a'), hash('b')]).toEqual([17n, undefined, 'h2']);
    });

    it('moves its position behind what is committed only where nothing lies between', () => {
      mirror.openEpoch('s', nb, [], 0);
      const commit = (...offsets: [bigint, bigint][]): bigint => {
        mirror.commit('s', [write(String(offsets[0]?.[0]), 'h')], {
          offsets: offsets.map(([first, next]) => ({ first, next })),
          epoch: 1,
          seq: Number(offsets.at(-1)?.[1]),
        });
        return mirror.position();
      };
      expect([
        commit([0n, 3n]),
        commit([3n, 4n]),
        commit([5n, 6n]),
        commit([4n, 5n], [6n, 7n]),
      ]).toEqual([3n, 4n, 4n, 4n]);
      expect(mirror.positionOf('s')).toMatchObject({ epoch: 1, seq: 4 });
      expect([...mirror.keys('s')]).toHaveLength(4);
    });

    it('forgets all but the epochs and the owners when reset', () => {
      mirror.openEpoch('s', nb, ['A'], 41);
      mirror.commit('s', [write('a', 'h1')], {
        offsets: [{ first: 0n, next: 9n }],
        epoch: 41,
        seq: 2,
      });
      mirror.reset();
      expect([mirror.position(), [...mirror.keys('s')]]).toEqual([0n, []]);
      expect(mirror.positionOf('s')).toMatchObject({ epoch: 0, seq: 0, opened: 41 });
      expect(mirror.streamsOf(nb)).toEqual([{ stream: 's', kinds: ['A'] }]);
    });

    it('is not confused by names that objects inherit', () => {
      mirror.commit('__proto__', [write('constructor', 'h1', '__proto__')]);
      expect(mirror.get('__proto__', '__proto__', 'constructor')?.hash).toBe('h1');
      expect(mirror.get('__proto__', 'constructor', '__proto__')).toBeUndefined();
    });
  });
}
