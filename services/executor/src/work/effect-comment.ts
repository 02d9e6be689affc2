import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { EffectComment } from '../action-kit/action';
import type { Item } from '../gate/item';

/** What is written with an effect where the system has a place for it. */
export const commentOf = ({ id, finding }: Pick<Item, 'id' | 'finding'>): EffectComment => ({
  action: id,
  rule: finding.rule,
  finding: finding.id,
});

/** The same of what is in the ledger. */
export const commentOfRecord = ({
  id,
  rule,
  finding,
}: Pick<ActionRecord, 'id' | 'rule' | 'finding'>): EffectComment => ({
  action: id,
  rule,
  finding: finding.id,
});
