import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMirror } from './open-mirror';

const stateDir = mkdtempSync(join(tmpdir(), 'steward-mirror-'));
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

test('the mirror of a cluster is found again in its state directory, and no other cluster gets it', () => {
  const mirror = openMirror({ stateDir, cluster: 'east' });
  mirror.fold(7n, () => undefined);
  mirror.close();
  expect(() => openMirror({ stateDir, cluster: 'west' })).toThrow(/belongs to the cluster east/);
  const again = openMirror({ stateDir, cluster: 'east' });
  expect(again.position()).toBe(7n);
  again.close();
});
