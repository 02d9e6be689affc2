import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Committed } from './referee';
import { isLeftUnknown } from './referee/given-up';

const reported = (it: ActionRecord | undefined): string =>
  it ? `${it.state} ${it.code}, revision ${it.revision} (${it.reason})` : 'nothing';

/**
 * Said of a put-back whose sender died, and that somebody replaced or removed since, if it was one:
 * nobody can know, and nothing else is reported.
 */
export const UNCLEAR: ReadonlySet<string> = new Set(['undo-unclear', 'raced-unclear']);

/**
 * What of the outcomes was lost, a sentence each, once all is calm: a claim that never ended, a
 * ledger that says something else than the topic, and a record that says something else than what
 * was done.
 * @param committed how often something of each action was removed and put back, as the referee saw
 *   it.
 */
export function lostOutcomes(
  topic: ReadonlyMap<string, ActionRecord>,
  ledger: (id: string) => ActionRecord | undefined,
  committed: ReadonlyMap<string, Committed>,
): string[] {
  const lost: string[] = [];
  for (const [id, onTopic] of topic) {
    const inLedger = ledger(id);
    const what = `action ${id.slice(0, 12)} (${onTopic.rule}, ${onTopic.action}): ledger ${reported(inLedger)}, topic ${reported(onTopic)}`;
    if (onTopic.state === 'claimed' || inLedger?.state === 'claimed')
      lost.push(`claimed and never ended: ${what}`);
    else if (inLedger?.state !== onTopic.state) lost.push(`reported in two ways: ${what}`);
    const { removals = 0, undos = 0, overtaken = false } = committed.get(id) ?? {};
    if (overtaken || UNCLEAR.has(onTopic.code) || isLeftUnknown(onTopic)) continue;
    if (removals > undos && onTopic.state !== 'done')
      lost.push(`removed, and reported as something else: ${what}`);
    if (removals > 0 && removals <= undos && onTopic.state !== 'undone')
      lost.push(`put back, and reported as something else: ${what}`);
    const isNeverRemoved = onTopic.reason.includes('it was never removed');
    if (removals === 0 && onTopic.state === 'undone' && !isNeverRemoved)
      lost.push(`never removed, and reported as put back: ${what}`);
    if (removals > 0 && isNeverRemoved)
      lost.push(`removed, and reported as never removed: ${what}`);
  }
  for (const id of committed.keys())
    if (!topic.has(id))
      lost.push(`action ${id.slice(0, 12)} was done, and the topic knows nothing of it`);
  return lost;
}
