import type { Action as ActionRecord } from '@ovn-steward/shared/events/action';
import type { Note } from '../action-kit/action';
import type { Item } from '../actions/item';

/** What is written with an effect where the system keeps such notes. */
export const noteOf = ({ id, finding }: Pick<Item, 'id' | 'finding'>): Note => ({
  action: id,
  rule: finding.rule,
  finding: finding.id,
});

/** The same of what is in the ledger. */
export const noteOfRecord = ({
  id,
  rule,
  finding,
}: Pick<ActionRecord, 'id' | 'rule' | 'finding'>): Note => ({
  action: id,
  rule,
  finding: finding.id,
});
