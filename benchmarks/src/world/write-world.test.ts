import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findingsIn, loadWorld, plantedIn } from '../load-world';
import { writeWorld } from './write-world';

describe.each([
  { ports: 60 },
  { ports: 1000 },
  { ports: 2500, portsPerSubnet: 600, podsPerNamespace: 200, seed: 7 },
])('a world of %j', (size) => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'steward-world-'))));
  afterAll(() => rm(folder, { recursive: true }));

  test.each([{ recorded: true }, { recorded: false }])(
    'has exactly the ports and findings it says, %j',
    async ({ recorded }) => {
      const written = await writeWorld(folder, size);
      const engine = await loadWorld(written, recorded);
      expect(engine.world.count('Logical_Switch_Port')).toBe(size.ports);
      expect(engine.world.count('Pod')).toBe(Math.round(size.ports * 0.75));
      expect(engine.unknowns()).toEqual([]);
      expect(findingsIn(engine.findings())).toEqual(plantedIn(written));
    },
  );
});
