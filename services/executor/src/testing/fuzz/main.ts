import { parseArgs } from 'node:util';
import { episode } from './episode';
import { actionsReached, addReached, type Reached } from './reached';
import { takeSteadyClock } from './steady-clock';
import { verifyOnce } from './verified-once';
import { emptyTally, OFFENCES, type Tally } from './tally';

/** Steps of one history; then another cluster begins. */
const STEPS = 400;
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      episode: { type: 'string' },
      show: { type: 'string', default: '10' },
      output: { type: 'string', default: 'text' },
    },
  });
  const steps = Number(values.steps);
  const seed = Number(values.seed);
  if (
    !Number.isSafeInteger(steps) ||
    steps < 1 ||
    !Number.isSafeInteger(seed) ||
    (values.output !== 'json' && values.output !== 'text')
  )
    throw new Error(
      'usage: npm run -s fuzz -- executor [--steps N] [--seed S] [--episode E] [--show OFFENCES] [--output json]',
    );
  const clock = takeSteadyClock();
  verifyOnce();
  const total = emptyTally();
  const reached: Reached = {};
  let reported = 0;
  const began = Date.now();
  let shownAt = began;
  for (
    let nth = values.episode === undefined ? 0 : Number(values.episode);
    total.steps < steps;
    nth++
  ) {
    const { tally, offences, reach } = await episode(seed * 1_000_003 + nth, STEPS, clock);
    for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
    addReached(reached, reach.reached);
    for (const { kind, what } of offences)
      if (reported++ < Number(values.show))
        process.stderr.write(
          `${kind}: ${what}\n  again: npm run -s fuzz -- executor --seed ${seed} --episode ${nth}\n`,
        );
    if (values.episode !== undefined || tally.steps === 0) break;
    if (Date.now() - shownAt > 10_000) {
      shownAt = Date.now();
      process.stderr.write(
        `${total.steps} steps, ${total.removals} removals, ${OFFENCES.map((it) => `${total[it]} ${it}`).join(', ')}, ${Math.round((total.steps * 1000) / (Date.now() - began))} steps/s\n`,
      );
    }
  }
  process.stdout.write(
    values.output === 'json'
      ? `${JSON.stringify({ ...total, actions: actionsReached(reached) })}\n`
      : `${Object.entries(total)
          .map(([key, value]) => `${key.padEnd(18)} ${value}`)
          .join('\n')}\n`,
  );
  return OFFENCES.some((it) => total[it] > 0) ? 1 : 0;
}

// A history that waits for ever ends the process when nothing else is to be done: that is no
// success.
process.exitCode = 2;
main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
