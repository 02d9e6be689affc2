import { KITS, provision, provisionAll } from './provision';
import { messageOf } from './message';

const USAGE = `usage: node tools/testbed/run.cjs provision [${KITS.join('|')}]\n`;

async function main([command, kit]: readonly string[]): Promise<number> {
  if (command !== 'provision') {
    process.stderr.write(USAGE);
    return 1;
  }
  if (kit === undefined) {
    const missing = await provisionAll();
    for (const [name, reason] of missing) process.stdout.write(`${name}: ${reason}\n`);
    return missing.size === 0 ? 0 : 3;
  }
  const known = KITS.find((each) => each === kit);
  if (known === undefined) {
    process.stderr.write(USAGE);
    return 1;
  }
  return provision(known).then(
    () => 0,
    (error: unknown) => {
      process.stdout.write(`${messageOf(error)}\n`);
      return 3;
    },
  );
}

void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
