import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { actionsTable } from './actions-text';
import { type Cells, tableMarkdown, tableText } from './columns';
import type { ListForm } from '../inputs/list-form';
import { listText } from './list-forms';

const HEAD = ['WHEN', 'STATE', 'ID', 'ACTION', 'TARGET', 'RULE', 'SUBNET', 'VPC', 'CODE', 'REASON'];

const cells = (actions: readonly ActionRecord[]): Cells => ({
  head: HEAD,
  rows: actions.map((record) => [
    ...[
      record.at,
      record.state,
      record.id.slice(0, 12),
      record.action,
      describe(record.target),
      record.rule,
    ],
    ...[record.scope.subnet ?? '-', record.scope.vpc ?? '-', record.code, record.reason],
  ]),
});

/** A list of actions in one form. */
export const actionsText = (
  form: ListForm,
  actions: readonly ActionRecord[],
  options: { readonly fullIds: boolean },
): string =>
  listText(form, {
    document: actions,
    items: actions,
    table: () => actionsTable(actions, options),
    wide: () => (actions.length === 0 ? actionsTable([], options) : tableText(cells(actions))),
    markdown: () => actionsMarkdown(actions),
  });

export const actionsMarkdown = (actions: readonly ActionRecord[]): string =>
  tableMarkdown(cells(actions));
