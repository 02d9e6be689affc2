import { changeKey, type Change } from './change';
import { changeName, keyContradiction } from './change-name';

const PUT: Change = {
  type: 'put',
  version: 1,
  id: 'i',
  cluster: 'c',
  source: 'kubernetes',
  stream: 'kubernetes/Pod',
  epoch: 1,
  seq: 1,
  cursor: '',
  observedAt: '2026-01-01T00:00:00Z',
  kind: 'Pod',
  uid: 'u/1',
  name: 'n',
  object: {},
  hash: 'h',
};
const { kind: _kind, uid: _uid, name: _name, object: _object, hash: _hash, ...position } = PUT;
const HEARTBEAT: Change = {
  ...position,
  type: 'heartbeat',
  observedThrough: '2026-01-01T00:00:00Z',
};

test('a key names cluster, source, kind, uid and the stream they belong to', () => {
  expect(changeName(changeKey(PUT))).toEqual({
    cluster: 'c',
    source: 'kubernetes',
    stream: 'kubernetes/Pod',
    kind: 'Pod',
    uid: 'u/1',
  });
  expect(changeName('c/ovn-nb/ACL/u')?.stream).toBe('ovn-nb');
  expect(changeName(changeKey(HEARTBEAT))).toMatchObject({
    kind: '_heartbeat',
    uid: 'kubernetes/Pod',
    stream: 'kubernetes/Pod',
  });
});

test.each(['', 'c', 'c/ovn-nb', 'c/ovn-nb/ACL', 'c/etcd/Pod/u', '/ovn-nb/ACL/u', 'c/ovn-nb//u'])(
  '%s names nothing',
  (key) => {
    expect(changeName(key)).toBeUndefined();
  },
);

test('a change stands under its own key', () => {
  for (const it of [PUT, HEARTBEAT]) expect(keyContradiction(changeKey(it), it)).toBeUndefined();
});

test.each<[string, Partial<Record<string, unknown>>]>([
  ['another cluster', { cluster: 'd' }],
  ['another source', { source: 'ovn-nb' }],
  ['another kind', { kind: 'Node' }],
  ['another uid', { uid: 'u/2' }],
  ['kind and uid cut elsewhere, which make the same key', { kind: 'Pod/u', uid: '1' }],
])('a change of %s does not stand under the key', (_, other) => {
  expect(keyContradiction(changeKey(PUT), { ...PUT, ...other } as Change)).toMatch(
    /^its key is not /,
  );
});

test.each<[string, Change, Change]>([
  ['an object', { ...PUT, kind: '_heartbeat', uid: 'kubernetes/Pod' }, HEARTBEAT],
  ['other news', { ...HEARTBEAT, type: 'snapshot-begin' } as Change, HEARTBEAT],
  ['news of another stream', { ...HEARTBEAT, stream: 'kubernetes/Node' }, HEARTBEAT],
  ['a cluster whose name goes on', { ...PUT, cluster: 'c/kubernetes/Pod' }, PUT],
])('%s does not stand under the key of another', (_, change, other) => {
  expect(keyContradiction(changeKey(other), change)).toMatch(/^its key is not /);
});

test('an object whose kind reads like news stands nowhere', () => {
  const forged: Change = { ...PUT, kind: '_heartbeat', uid: 'kubernetes/Pod' };
  expect(keyContradiction(changeKey(forged), forged)).toMatch(/^its key is not /);
});
