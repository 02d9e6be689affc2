import type { Mirror, MirrorWrite } from './mirror';

const write = (uid: string, hash: string | null, kind = 'Pod'): MirrorWrite => ({ kind, uid, entry: hash === null ? null : { hash, name: uid, namespace: 'shop' } });

/** What every mirror must do. `open` gives an empty one. */
export function describeMirror(name: string, open: () => Mirror): void {
  describe(`${name} (mirror contract)`, () => {
    let mirror: Mirror;
    beforeEach(() => { mirror = open(); });
    afterEach(() => mirror.close());
    const hash = (uid: string, kind = 'Pod'): string | undefined => mirror.get('s', kind, uid)?.hash;

    it('holds what was settled, per stream, kind and uid', () => {
      mirror.settle('s', [write('a', 'h1'), write('a', 'h2', 'Node')]);
      mirror.settle('t', [write('a', 'h3')]);
      expect(mirror.get('s', 'Pod', 'a')).toEqual({ hash: 'h1', name: 'a', namespace: 'shop' });
      expect(hash('a', 'Node')).toBe('h2');
      expect([...mirror.keys('s')].sort()).toEqual([['Node', 'a'], ['Pod', 'a']]);
      expect(mirror.get('u', 'Pod', 'a')).toBeUndefined();
    });

    it('keeps an absent namespace absent', () => {
      mirror.settle('s', [{ kind: 'Node', uid: 'n', entry: { hash: 'h', name: 'n' } }]);
      expect(mirror.get('s', 'Node', 'n')).toEqual({ hash: 'h', name: 'n' });
    });

    it('removes what was settled as gone', () => {
      mirror.settle('s', [write('a', 'h1')]);
      mirror.settle('s', [write('a', null), write('never-there', null)]);
      expect([...mirror.keys('s')]).toEqual([]);
    });

    it('in doubt, holds a new, a changed and a removed entry without a hash', () => {
      mirror.settle('s', [write('changed', 'h1'), write('removed', 'h2'), write('other', 'h3')]);
      mirror.doubt('s', [write('new', 'h4'), write('changed', 'h5'), write('removed', null), write('never-there', null)]);
      expect(['new', 'changed', 'removed', 'other'].map((uid) => hash(uid))).toEqual(['', '', '', 'h3']);
      expect([...mirror.keys('s')]).toHaveLength(4);
    });

    it('takes the last word of a batch', () => {
      mirror.settle('s', [write('a', 'h1'), write('a', null), write('a', 'h2'), write('b', 'h3'), write('b', null)]);
      expect([hash('a'), hash('b')]).toEqual(['h2', undefined]);
    });

    it('gives growing epochs and remembers whose stream it was', () => {
      const first = mirror.openEpoch('s', 'nb', ['A']);
      expect(mirror.openEpoch('s', 'nb', ['A', 'B'])).toBeGreaterThan(first);
      expect(mirror.openEpoch('t', 'kubernetes', ['Pod'])).toBeGreaterThan(0);
      expect(mirror.streamsOf('nb')).toEqual([{ stream: 's', kinds: ['A', 'B'] }]);
      expect(mirror.streamsOf('nobody')).toEqual([]);
    });

    it('is not confused by names that objects inherit', () => {
      mirror.settle('__proto__', [write('constructor', 'h1', '__proto__')]);
      expect(mirror.get('__proto__', '__proto__', 'constructor')?.hash).toBe('h1');
      expect(mirror.get('__proto__', 'constructor', '__proto__')).toBeUndefined();
    });
  });
}
