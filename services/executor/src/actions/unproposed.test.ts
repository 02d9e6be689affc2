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

test.each(EXECUTOR_ACTIONS)('$id says why no rule proposes it, where none does', (action) => {
  const isProposed = judgement.includes(`'${action.id}'`) || ofLeftRows.includes(action.id);
  expect({ isProposed, unproposed: action.unproposed !== undefined }).toEqual({
    isProposed,
    unproposed: !isProposed,
  });
  expect(action.unproposed ?? 'Because').toMatch(/^[A-Z].*[^.]$/);
});
