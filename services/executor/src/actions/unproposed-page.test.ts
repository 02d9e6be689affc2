import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowDeletion } from '@ovn-steward/contracts/actions/row-deletion';
import { LEAVES_FIRST } from '@ovn-steward/judgement/rule-kit/left-row';
import { EXECUTOR_ACTIONS } from './registry';

const ROOT = join(__dirname, '../../../..');

/** All that rules are written in: a remedy stands there as a text. */
const judgement = ['rules', 'rule-kit', 'kube-ovn', 'world']
  .flatMap((folder) => {
    const at = join(ROOT, 'libs/judgement/src', folder);
    return readdirSync(at)
      .filter((it) => it.endsWith('.ts') && !it.endsWith('.test.ts'))
      .map((it) => readFileSync(join(at, it), 'utf8'));
  })
  .join('\n');

/** Those that follow from the table of a row that is left. */
const ofLeftRows: readonly string[] = LEAVES_FIRST.map((it) => rowDeletion(it));

test('docs/executor.md names the actions that no rule proposes, and no other', () => {
  const page = readFileSync(join(ROOT, 'docs/executor.md'), 'utf8');
  const [, section = ''] = page.split('\n## Actions that no rule proposes\n');
  const named = section
    .split('\n## ')[0]!
    .split('\n')
    .flatMap((line) =>
      [...(/^\| (`.*?) \|/.exec(line)?.[1] ?? '').matchAll(/`([a-z-]+)`/g)].map((it) => it[1]!),
    );
  expect(named.sort()).toEqual(
    EXECUTOR_ACTIONS.map((it) => it.id).filter(
      (it) => !judgement.includes(`'${it}'`) && !ofLeftRows.includes(it),
    ),
  );
});
