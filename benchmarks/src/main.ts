import { parseArgs } from 'node:util';
import { benchAudit } from './audit';
import { benchChanges } from './changes';

type Bench = (options: { readonly ports: number }) => Promise<object>;

const BENCHES: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  ['audit', benchAudit],
  ['changes', benchChanges],
]);

const USAGE = `usage: npm run -s bench -- ${[...BENCHES.keys()].join('|')} [--ports <number, at least 60>] [--output json]\n`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args], allowPositionals: true,
    options: { ports: { type: 'string', default: '100000' }, output: { type: 'string', default: 'json' } },
  });
  const bench = BENCHES.get(positionals[0] ?? '');
  const ports = Number(values.ports);
  if (!bench || positionals.length > 1 || values.output !== 'json' || !Number.isInteger(ports) || ports < 60) {
    process.stderr.write(USAGE);
    return 1;
  }
  process.stdout.write(`${JSON.stringify(await bench({ ports }))}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => { process.exitCode = code; },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
