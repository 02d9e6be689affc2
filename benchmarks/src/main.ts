import { parseArgs } from 'node:util';
import { benchAudit } from './audit';
import { benchChanges } from './changes';
import { benchExecutor } from './executor/executor';
import { benchJq } from './jq';
import { benchPipeline } from './pipeline/pipeline';

type Bench = (options: { readonly ports: number; readonly others: number }) => Promise<object>;

const BENCHES: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  ['audit', benchAudit],
  ['changes', benchChanges],
  ['executor', benchExecutor],
  ['jq', benchJq],
  ['pipeline', benchPipeline],
]);
/** A benchmark of its own size; 100,000 ports unless listed. */
const USUAL_PORTS: ReadonlyMap<string, number> = new Map([
  ['pipeline', 20_000],
  ['executor', 10_000],
]);

const USAGE = `usage: npm run -s bench -- ${[...BENCHES.keys()].join('|')} [--ports <number, at least 60>] [--others <number, executor: ports that stay>] [--output json]\n`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ports: { type: 'string' },
      others: { type: 'string', default: '0' },
      output: { type: 'string', default: 'json' },
    },
  });
  const bench = BENCHES.get(positionals[0] ?? '');
  const ports = Number(values.ports ?? USUAL_PORTS.get(positionals[0] ?? '') ?? 100_000);
  const others = Number(values.others);
  if (
    !bench ||
    !Number.isInteger(others) ||
    others < 0 ||
    positionals.length > 1 ||
    values.output !== 'json' ||
    !Number.isInteger(ports) ||
    ports < 60
  ) {
    process.stderr.write(USAGE);
    return 1;
  }
  process.stdout.write(`${JSON.stringify(await bench({ ports, others }))}\n`);
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
