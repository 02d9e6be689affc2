import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Ledger } from '../ledger/ledger';
import type { Item } from '../gate/item';

/** What a thing is called, whatever its incarnation: an object that was put back has a new uid. */
const calledAs = ({ source, kind, namespace, name, uid, part }: Reference): string =>
  JSON.stringify([source, kind, namespace ?? '', name || uid, part?.column ?? '', part?.key ?? '']);

/**
 * Who put a thing back that an item would remove again. A person who had it put back has decided:
 * it is removed again only when a person approves that. What was put back because its owner came at
 * the last moment is judged like anything else.
 */
export function thosePutBack(
  ledger: Pick<Ledger, 'list' | 'total'>,
  cluster: string,
): () => (item: Item) => ActionRecord | undefined {
  let undone = new Map<string, ActionRecord>();
  let total = 0;
  return () => {
    // What is undone stays so: there are no others as long as there are no more, and those of years
    // are not read every second.
    const now = ledger.total({ cluster, state: 'undone' });
    if (now !== total) {
      undone = new Map(
        ledger
          .list({ cluster, state: 'undone' })
          .filter((it) => it.code !== 'raced')
          .map((it) => [calledAs(it.target), it]),
      );
      total = now;
    }
    return ({ finding, approval }) =>
      approval === undefined ? undone.get(calledAs(finding.remedy.target)) : undefined;
  };
}
