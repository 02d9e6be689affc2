import { parseArgs } from 'node:util';
import { benchAudit } from './audit';
import { benchChanges } from './changes';
import { benchConfirm } from './executor/confirm';
import { benchExecutor } from './executor/executor';
import { benchFleet } from './fleet/fleet';
import { benchRebuild } from './fleet/rebuild';
import { benchJq } from './jq';
import { benchPipeline } from './pipeline/pipeline';
import { benchScale } from './scale/scale';
import { benchSoak } from './scale/soak';
import { benchSizes } from './sizes/sizes';

/** Whole numbers that the command line may give: the least each may be, and what it is else. */
const NUMBERS = {
  /** Else the benchmark's own. */
  ports: { least: 60, otherwise: 0 },
  /** executor: ports that stay. */
  others: { least: 0, otherwise: 0 },
  /** soak. */
  minutes: { least: 1, otherwise: 60 },
  /** fleet. */
  clusters: { least: 2, otherwise: 1000 },
  analyzers: { least: 2, otherwise: 4 },
  /** rebuild. */
  changes: { least: 1, otherwise: 10_000_000 },
} as const;
type Name = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as readonly Name[];

type Options = Readonly<Record<Name, number>>;

interface Bench {
  run(options: Options): Promise<object>;
  /** The size unless `--ports` says another. */
  readonly ports: number;
}

const BENCHES: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  ['audit', { run: benchAudit, ports: 100_000 }],
  ['changes', { run: benchChanges, ports: 100_000 }],
  ['confirm', { run: benchConfirm, ports: 1000 }],
  ['executor', { run: benchExecutor, ports: 10_000 }],
  ['fleet', { run: benchFleet, ports: 1000 }],
  ['jq', { run: benchJq, ports: 100_000 }],
  ['pipeline', { run: benchPipeline, ports: 20_000 }],
  ['rebuild', { run: benchRebuild, ports: 20_000 }],
  ['scale', { run: benchScale, ports: 200_000 }],
  ['sizes', { run: benchSizes, ports: 10_000 }],
  ['soak', { run: benchSoak, ports: 1000 }],
]);

const USAGE = `usage: npm run -s bench -- ${[...BENCHES.keys()].join('|')} ${NAMES.map((it) => `[--${it} <number, at least ${NUMBERS[it].least}>]`).join(' ')} [--output json]\n`;

/** What the command line asks for; undefined where it cannot be understood. */
function parse(args: readonly string[]): { bench: Bench; options: Options } | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      output: { type: 'string', default: 'json' },
      ...Object.fromEntries(NAMES.map((it) => [it, { type: 'string' }] as const)),
    },
  });
  const bench = BENCHES.get(positionals[0] ?? '');
  if (!bench || positionals.length > 1 || values.output !== 'json') return undefined;
  const otherwise = { ...NUMBERS, ports: { otherwise: bench.ports } };
  const given = values as Readonly<Partial<Record<Name, string>>>;
  const numbers = NAMES.map((it) => [it, Number(given[it] ?? otherwise[it].otherwise)] as const);
  const isGood = numbers.every(
    ([it, value]) => Number.isInteger(value) && value >= NUMBERS[it].least,
  );
  return isGood ? { bench, options: Object.fromEntries(numbers) as Options } : undefined;
}

async function main(args: readonly string[]): Promise<number> {
  const requested = parse(args);
  if (!requested) {
    process.stderr.write(USAGE);
    return 1;
  }
  process.stdout.write(`${JSON.stringify(await requested.bench.run(requested.options))}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
