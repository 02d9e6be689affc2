import { lastEpoch } from '@ovn-steward/contracts/changes/change-bounds';
import { memoryMirror } from '../mirror/mirror-memory';
import { OurPositions, ownMirror } from './own-mirror';

const AT = Date.parse('2026-05-04T10:00:00Z');
const owner = { id: 'x', source: 'kubernetes' } as const;
const state = (epoch: number, seq: number) =>
  ({ stream: 's', source: 'kubernetes', epoch, seq }) as const;

const scene = () => {
  const ours = new OurPositions();
  return { ours, mirror: ownMirror({ mirror: memoryMirror(), now: () => AT }, ours) };
};

it('takes for ours what lies in an epoch we opened, up to the last that we published', () => {
  const { ours, mirror } = scene();
  const epoch = mirror.openEpoch('s', owner, ['Pod'], 0);
  expect(ours.includes(state(epoch, 1))).toBe(false);
  mirror.commit('s', [], { offsets: [], epoch, seq: 2 });
  expect([1, 2, 3].map((seq) => ours.includes(state(epoch, seq)))).toEqual([true, true, false]);
  expect(ours.includes(state(epoch - 1, 1))).toBe(false);
  expect(ours.includes({ ...state(epoch, 1), stream: 't' })).toBe(false);
});

it('still takes for ours what an earlier epoch of ours said', () => {
  const { ours, mirror } = scene();
  const first = mirror.openEpoch('s', owner, ['Pod'], 0);
  const second = mirror.openEpoch('s', owner, ['Pod'], 0);
  mirror.commit('s', [], { offsets: [], epoch: second, seq: 1 });
  mirror.commit('s', [], { offsets: [], epoch: first, seq: 9 });
  expect(ours.includes(state(first, 9))).toBe(true);
  expect([1, 2].map((seq) => ours.includes(state(second, seq)))).toEqual([true, false]);
});

it('hands on to the mirror what is committed, with a place or without', () => {
  const { ours, mirror } = scene();
  const epoch = mirror.openEpoch('s', owner, ['Pod'], 0);
  mirror.commit('s', [{ kind: 'Pod', uid: 'u', entry: { hash: 'h', name: 'n' } }]);
  expect(mirror.get('s', 'Pod', 'u')).toEqual({ hash: 'h', name: 'n' });
  expect(ours.includes(state(epoch, 1))).toBe(false);
});

it('begins the last epoch that readers believe', () => {
  const { mirror } = scene();
  expect(mirror.openEpoch('s', owner, ['Pod'], lastEpoch(AT))).toBe(lastEpoch(AT));
});

it('begins no epoch that readers do not believe yet', () => {
  const { ours, mirror } = scene();
  const epoch = lastEpoch(AT) + 1;
  expect(() => mirror.openEpoch('s', owner, ['Pod'], epoch)).toThrow('do not believe yet');
  mirror.commit('s', [], { offsets: [], epoch, seq: 1 });
  expect(ours.includes(state(epoch, 1))).toBe(false);
});
