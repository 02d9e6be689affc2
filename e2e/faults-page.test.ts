import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS } from './faults/registry';

test('docs/faults.md lists the faults, in the order in which they strike', () => {
  const [, table] =
    /\| Nothing is lost with … \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(
      readFileSync(join(__dirname, '..', 'docs', 'faults.md'), 'utf8'),
    ) ?? [];
  expect([...table!.matchAll(/^\| (.+?) \|/gm)].map((it) => it[1])).toEqual(
    FAULTS.map((it) => it.breaks),
  );
});
