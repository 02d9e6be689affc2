import { parseArgs } from 'node:util';
import { benchAudit } from './audit';
import { benchChanges } from './changes';
import { benchConfirm } from './executor/confirm';
import { benchExecutor } from './executor/executor';
import { benchFleet } from './fleet/fleet';
import { benchJq } from './jq';
import { benchPipeline } from './pipeline/pipeline';
import { benchScale } from './scale/scale';
import { benchSoak } from './scale/soak';
import { benchSizes } from './sizes/sizes';

interface Options {
  readonly ports: number;
  readonly others: number;
  readonly minutes: number;
  readonly clusters: number;
  readonly analyzers: number;
}

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
  ['scale', { run: benchScale, ports: 200_000 }],
  ['sizes', { run: benchSizes, ports: 10_000 }],
  ['soak', { run: benchSoak, ports: 1000 }],
]);

const USAGE = `usage: npm run -s bench -- ${[...BENCHES.keys()].join('|')} [--ports <number, at least 60>] [--others <number, executor: ports that stay>] [--minutes <number, soak>] [--clusters <number, fleet>] [--analyzers <number, fleet>] [--output json]\n`;

/** What the command line asks for; undefined where it cannot be understood. */
function parse(args: readonly string[]): { bench: Bench; options: Options } | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ports: { type: 'string' },
      others: { type: 'string', default: '0' },
      minutes: { type: 'string', default: '60' },
      clusters: { type: 'string', default: '1000' },
      analyzers: { type: 'string', default: '4' },
      output: { type: 'string', default: 'json' },
    },
  });
  const bench = BENCHES.get(positionals[0] ?? '');
  if (!bench || positionals.length > 1 || values.output !== 'json') return undefined;
  const [ports, others, minutes] = [
    Number(values.ports ?? bench.ports),
    Number(values.others),
    Number(values.minutes),
  ];
  if (!Number.isInteger(ports) || ports < 60 || !Number.isInteger(others) || others < 0)
    return undefined;
  const [clusters, analyzers] = [Number(values.clusters), Number(values.analyzers)];
  if (!(clusters >= 2) || !(analyzers >= 2)) return undefined;
  return minutes > 0
    ? { bench, options: { ports, others, minutes, clusters, analyzers } }
    : undefined;
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
