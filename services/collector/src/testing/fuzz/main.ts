import { parseArgs } from 'node:util';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { recordedDatabase } from '@ovn-steward/systems/testing/recorded-northbound';
import { PLANTS } from './plants/registry';
import { productEngine } from './episode';
import { run, type Tally } from './run';
import { OFFENCES } from './truth/referee';

const USAGE =
  'usage: npm run -s fuzz -- rules [--steps N] [--seed S] [--world W] [--plant NAME] [--first] [--show FAILURES] [--output json]';
/** Milliseconds between two lines about how far it is. */
const SHOWN_EVERY = 10_000;

function optionsOf() {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      world: { type: 'string' },
      plant: { type: 'string' },
      first: { type: 'boolean', default: false },
      show: { type: 'string', default: '3' },
      output: { type: 'string', default: 'text' },
    },
  });
  const { world, plant, first, output } = values;
  const [steps, seed, shown] = [values.steps, values.seed, values.show].map(Number) as [
    number,
    number,
    number,
  ];
  const isCount = (it: number, least: number): boolean => Number.isSafeInteger(it) && it >= least;
  if (
    !isCount(steps, 1) ||
    !isCount(seed, 0) ||
    !isCount(shown, 0) ||
    !['json', 'text'].includes(output)
  )
    throw new Error(USAGE);
  if (world !== undefined && !isCount(Number(world), 0)) throw new Error(USAGE);
  const planted = PLANTS.find((it) => it.name === plant);
  if (plant !== undefined && !planted)
    throw new Error(
      `no fault is called ${plant}. There are: ${PLANTS.map((it) => it.name).join(', ')}`,
    );
  return {
    steps,
    seed,
    shown,
    first,
    output,
    makeEngine: planted?.makeEngine ?? productEngine,
    ...(world !== undefined && { world: Number(world) }),
  };
}

/** How far it is, now and then. */
function progress(): (tally: Tally) => void {
  const began = Date.now();
  let shownAt = began;
  return ({ steps, worlds, confirmed, ...counts }) => {
    if (Date.now() - shownAt < SHOWN_EVERY) return;
    shownAt = Date.now();
    const pace = Math.round((steps * 1000) / (shownAt - began));
    process.stderr.write(
      `${steps} steps, ${worlds} worlds, ${confirmed} confirmed, ${OFFENCES.map((it) => `${counts[it]} ${it}`).join(', ')}, ${pace} steps/s\n`,
    );
  };
}

async function main(): Promise<number> {
  const { output, ...options } = optionsOf();
  const { schema } = await recordedDatabase('leaky');
  const { tally, failures, reached } = run({ schema, ...options, onWorld: progress() });
  const unreached = RULES.map(({ id }) => id).filter((it) => !reached.has(it));
  for (const { kind, what, world, history } of failures)
    process.stderr.write(
      `${kind}: ${what}\n${history.map((it) => `  ${it}\n`).join('')}  again: npm run -s fuzz -- rules --seed ${options.seed} --world ${world}\n`,
    );
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ ...tally, failures, unreached })}\n`
      : `${Object.entries({ ...tally, unreached: unreached.join(' ') })
          .map(([key, value]) => `${key.padEnd(18)} ${value}`)
          .join('\n')}\n`,
  );
  return OFFENCES.some((it) => tally[it] > 0) ? 1 : 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
