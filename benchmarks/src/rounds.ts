/** Rounds after which code is compiled and caches are warm. */
const WARM_UP = 1;
/** Rounds that count. */
const ROUNDS = 5;

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/**
 * Measures several things in turns, so that whatever else the machine does hits all of them alike,
 * and gives the median round of each.
 *
 * @param measures each gives figures by name.
 */
export function inTurns(
  measures: readonly (() => ReadonlyMap<string, number>)[],
): Map<string, number>[] {
  const rounds = measures.map((): ReadonlyMap<string, number>[] => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [nth, measure] of measures.entries()) {
      const figures = measure();
      if (round >= WARM_UP) rounds[nth]!.push(figures);
    }
  }
  return rounds.map(
    (all) =>
      new Map([...all[0]!.keys()].map((name) => [name, median(all.map((it) => it.get(name)!))])),
  );
}
