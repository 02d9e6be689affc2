import { memoryMirror } from './mirror-memory';
import { describeMirror } from './mirror.contract';

describeMirror('memory', memoryMirror);

it('counts its epochs from 1', () => {
  expect(memoryMirror().openEpoch('s', 'nb', [])).toBe(1);
});
