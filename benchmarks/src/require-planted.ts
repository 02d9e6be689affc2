import { findingsIn, type Found, plantedIn } from './load-world';
import type { WrittenWorld } from './world/write-world';

/**
 * A wrong answer is not worth measuring.
 * @throws Error when what `who` found is not exactly what was planted.
 */
export function requirePlanted(who: string, findings: Iterable<Found>, world: WrittenWorld): void {
  const found = new Set(findingsIn(findings));
  const planted = new Set(plantedIn(world));
  const missed = [...planted].filter((it) => !found.has(it));
  const invented = [...found].filter((it) => !planted.has(it));
  if (missed.length + invented.length > 0)
    throw new Error(
      `${who} missed ${missed.length} findings (${missed[0]}) and invented ${invented.length} (${invented[0]})`,
    );
  process.stderr.write(`${who} found exactly the ${planted.size} planted findings\n`);
}
