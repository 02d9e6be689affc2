import type { RowDeletion } from '@ovn-steward/contracts/actions/row-deletion';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { type Action, refusal } from './action';
import { type HolderColumn, holderGuards } from './holder-guards';
import { commentOperation } from './comment-operation';
import { readRemoval } from './removal';
import { restoresRow } from './restores-row';

/** What differs between the actions that remove a row. */
export interface RowAction<Table extends string> extends Pick<
  Action,
  'onlyApproved' | 'rank' | 'does' | 'undoing' | 'unproposed'
> {
  /** As rules name it, by the table alone. */
  readonly id: RowDeletion<Table>;
  readonly table: Table;
  /** Empty where undoing brings all back. */
  readonly losses: readonly string[];
  /** What the rule concludes from what the row's holder says, where it does. */
  readonly restsOn?: HolderColumn;
}

/** An action that removes one row, with the rows only it holds, in one guarded transaction. */
export const removesRow = <Table extends string>({
  table,
  restsOn,
  ...declared
}: RowAction<Table>): Action => ({
  ...declared,
  on: 'ovn-nb',
  kinds: [table],
  verb: null,
  finishedBy: null,
  restores: (target, undo) => restoresRow(table, target, undo),
  async prepare(target, comment, { northbound }, signal) {
    if (target.source !== 'ovn-nb' || target.kind !== table || target.part !== undefined)
      return refusal(
        'unsupported',
        `${declared.id} removes whole rows of ${table}, not ${describe(target)}`,
      );
    const removal = await readRemoval(northbound, table, target.uid, signal);
    if (removal.is === 'refused') return removal;
    if (removal.name !== target.name)
      return refusal('changed', `${describe(target)} is called ${removal.name} now`);
    const held = restsOn ? await holderGuards(northbound, restsOn, target.uid, signal) : [];
    return {
      is: 'prepared',
      effect: {
        on: 'ovn-nb',
        operations: [
          ...removal.guards,
          ...held,
          removal.write,
          commentOperation(`${declared.id} ${describe(target)}`, comment),
        ],
      },
      undo: removal.undo,
      version: removal.version,
    };
  },
});
