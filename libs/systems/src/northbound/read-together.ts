import { gatherCalls } from '@ovn-steward/shared/gather-calls';
import type { Operation } from '@ovn-steward/ovsdb';
import { inParts } from './in-parts';
import type { CommittedTransaction, Northbound } from './northbound';

interface Read {
  readonly operations: readonly Operation[];
}

type Answer = Awaited<ReturnType<Northbound['read']>>;

/**
 * The same database, where selects that are wanted in one turn of the event loop are one
 * transaction, which begins after them: no answer is older than its question. Where the server
 * refuses that, each is read by itself: what is wrong with one says nothing of the others.
 */
export function readTogether(northbound: Northbound): Northbound {
  const read = gatherCalls<Read, Answer>((reads, signal) => {
    const answers = new Map<Read, Promise<Answer | undefined>>();
    for (const part of inParts(reads)) {
      const all = part.length > 1 ? readAll(part, northbound, signal) : Promise.resolve(undefined);
      for (const one of part)
        answers.set(
          one,
          all.then((it) => it?.get(one)),
        );
    }
    return async (one) => (await answers.get(one)) ?? northbound.read(one.operations, signal);
  });
  const gathered: Northbound['read'] = (operations, signal) =>
    operations.every(({ op }) => op === 'select')
      ? read({ operations }, signal)
      : northbound.read(operations, signal);
  return Object.assign(Object.create(northbound) as Northbound, { read: gathered });
}

/** The answer to each; undefined where the server refused them all. @throws Failure. */
async function readAll(
  reads: readonly Read[],
  northbound: Northbound,
  signal: AbortSignal,
): Promise<ReadonlyMap<Read, CommittedTransaction> | undefined> {
  const all = reads.flatMap((it) => it.operations);
  const answer = await northbound.read(all, signal);
  if (answer.is !== 'committed') return undefined;
  let from = 0;
  return new Map(
    reads.map((read) => {
      const results = answer.results.slice(from, (from += read.operations.length));
      return [read, { is: 'committed', results }];
    }),
  );
}
