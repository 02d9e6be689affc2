import type { Picture } from '@ovn-steward/analyzer';
import type { Engine } from '@ovn-steward/judgement/engine/engine';

/** What the engine knows, but for what is given here. */
export const pictureWith = (engine: Engine, changed: Partial<Picture>): Picture => ({
  findings: () => engine.findings(),
  resolved: () => engine.resolved(),
  finding: (id) => engine.finding(id),
  unknowns: () => engine.unknowns(),
  pairing: () => engine.pairing(),
  streams: () => engine.streams(),
  world: engine.world,
  now: engine.now,
  ...changed,
});
