import type { Operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { gatherCalls } from '@ovn-steward/shared/gather-calls';
import { inParts } from './in-parts';
import type { CommittedTransaction, Northbound, RefusedTransaction } from './northbound';

/**
 * What was refused with others is sent without them no later than this after it was sent first:
 * what was checked right before that must still be so. Milliseconds.
 */
const AGAIN_WITHIN_MS = 1000;

interface Write {
  readonly operations: readonly Operation[];
}

type Answer = CommittedTransaction | RefusedTransaction;
type Send = (operations: readonly Operation[]) => Promise<Answer>;

/**
 * The same database, where writes that are wanted in one turn of the event loop are one
 * transaction, as if they came one after the other and nobody between them. Each keeps its own
 * guards: where one of them refuses, nothing was changed, and the others are sent again without
 * that one. Where it cannot be known whether the transaction was committed, each throws
 * `outcome-unknown`.
 * @param now milliseconds on a clock that never goes back.
 */
export function writeTogether(
  northbound: Northbound,
  now: () => number = () => performance.now(),
): Northbound {
  const write = gatherCalls<Write, Answer>((writes, signal) => {
    const sentBefore = now() + AGAIN_WITHIN_MS;
    const send: Send = async (operations) => northbound.write(operations, signal);
    const again: Send = async (operations) => {
      if (now() <= sentBefore) return send(operations);
      throw new Failure(
        'source-unreachable',
        `${northbound.where} answered too slowly: another of the same transaction was refused, and this one was not sent again.`,
      );
    };
    const answers = new Map<Write, Promise<Answer>>();
    for (const part of inParts(writes)) {
      const answerOf = sendAll(part, send, again);
      for (const one of part) answers.set(one, answerOf(one));
    }
    return (one) => answers.get(one)!;
  });
  const gathered: Northbound['write'] = (operations, signal) => write({ operations }, signal);
  return Object.assign(Object.create(northbound) as Northbound, { write: gathered });
}

/** Sends these in one transaction, and once one of them was refused, the others without it. */
function sendAll(
  writes: readonly Write[],
  send: Send,
  again: Send,
): (one: Write) => Promise<Answer> {
  const all = writes.flatMap((it) => it.operations);
  const answer = send(all);
  const starts = startsOf(writes);
  const others = answer.then((answered) => {
    if (answered.is === 'committed' || writes.length === 1) return undefined;
    const refused = refusedOf(writes, starts, answered);
    // What the commit refuses, such as a reference, may come from any of them.
    if (refused === undefined) return eachAlone(writes, again);
    return sendAll(
      writes.filter((one) => one !== refused),
      again,
      again,
    );
  });
  return async (one) => {
    const [answered, rest] = await Promise.all([answer, others]);
    const start = starts.get(one)!;
    if (answered.is === 'committed')
      return {
        is: 'committed',
        results: answered.results.slice(start, start + one.operations.length),
      };
    if (rest === undefined) return answered;
    return refusedOf(writes, starts, answered) === one
      ? { ...answered, at: (answered.at as number) - start }
      : rest(one);
  };
}

function eachAlone(writes: readonly Write[], send: Send): (one: Write) => Promise<Answer> {
  const answers = new Map(writes.map((one) => [one, send(one.operations)]));
  return (one) => answers.get(one)!;
}

/** Where the operations of each begin. */
function startsOf(writes: readonly Write[]): ReadonlyMap<Write, number> {
  let start = 0;
  return new Map(
    writes.map((one) => {
      const from = start;
      start += one.operations.length;
      return [one, from];
    }),
  );
}

/** Whose operation refused; undefined where the commit did. */
const refusedOf = (
  writes: readonly Write[],
  starts: ReadonlyMap<Write, number>,
  { at }: RefusedTransaction,
): Write | undefined =>
  at === 'commit' ? undefined : writes.findLast((one) => starts.get(one)! <= at);
