import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL, meanCosts } from './costs';
import { findingsIn, loadWorld } from './load-world';
import { podLives } from './pod-life';
import { sharedLife } from './shared-life';
import { writeWorld } from './world/write-world';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'steward-costs-'))));
afterAll(() => rm(folder, { recursive: true }));

test('what is measured happens: changes change what is found, and in the end everything is as it was', async () => {
  const engine = await loadWorld(await writeWorld(folder, { ports: 200 }));
  const before = findingsIn(engine.findings());
  const unknowns = engine.unknowns().length;
  const moved = new Set<string>();
  for (const steps of [podLives(engine, 5), sharedLife(engine, 1)]) {
    for (const { kind, change } of steps) {
      const { findings } = engine.apply([change]);
      if (findings.length > 0 || engine.unknowns().length > unknowns) moved.add(kind);
    }
  }
  expect([...moved]).toEqual(
    expect.arrayContaining(['pod deleted', 'port removed', 'port added', 'IP removed', 'IP added']),
  );
  expect(findingsIn(engine.findings())).toEqual(before);
  expect(engine.unknowns()).toHaveLength(unknowns);
});

test('gives a mean by sort and one over all', async () => {
  const engine = await loadWorld(await writeWorld(folder, { ports: 60 }));
  const costs = meanCosts(engine, podLives(engine, 3));
  expect([...costs.keys()]).toEqual([
    ALL,
    'pod deleted',
    'pod created',
    'pod changed',
    'port removed',
    'port added',
    'port changed',
    'IP removed',
    'IP added',
    'IP changed',
  ]);
  const own = [...costs].filter(([kind]) => kind !== ALL).map(([, seconds]) => seconds);
  expect(Math.min(...own)).toBeGreaterThan(0);
  expect(costs.get(ALL)).toBeGreaterThanOrEqual(Math.min(...own));
  expect(costs.get(ALL)).toBeLessThanOrEqual(Math.max(...own));
});
