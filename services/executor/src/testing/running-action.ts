import { type DatabaseSchema, operation, type Operation } from '@ovn-steward/ovsdb';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Action, EffectComment, Prepared, Refusal } from '../action-kit/action';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import type { Systems } from '@ovn-steward/systems/systems';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { pictureOf } from './nb-picture';
import { outcomeText, refusedAs } from './outcome-text';
import { ground, type Plant } from './plants';

/** A Northbound to act on, and somebody else who writes to it. */
export interface ActionBed {
  readonly northbound: Northbound;
  /** As somebody else: committed, or the test fails. */
  peer(operations: readonly Operation[]): Promise<void>;
  /** The next write is committed and its reply lost. Absent where that cannot be arranged. */
  readonly loseReply?: () => void;
  close(): Promise<void>;
}

export interface ActionBench {
  readonly plant: Plant;
  /** With a recording of a shared Northbound, or empty with this schema. */
  start(schema?: DatabaseSchema): Promise<ActionBed>;
}

export const never = new AbortController().signal;
export const COMMENT: EffectComment = {
  action: 'the-key',
  rule: 'some-rule',
  finding: 'some-finding',
};
export const STRANGER = '00000000-0000-4000-8000-000000000abc';
export const NEW_UID = '00000000-0000-4000-8000-000000000def';

export interface Running extends ActionBed {
  readonly systems: Systems;
  readonly schema: DatabaseSchema;
  prepare(target?: Reference): ReturnType<Action['prepare']>;
  prepared(): Promise<Prepared>;
  /** Sends it: whether it was committed. */
  send(prepared: { readonly effect: Prepared['effect'] }): Promise<string>;
  refuses(code: Refusal['code']): Promise<void>;
  /** What a peer does between prepare and write makes the write a refusal that changes nothing. */
  refusesAfter(operations: readonly Operation[]): Promise<void>;
}

/** Starts, plants, runs, closes. */
export async function on(
  { plant, start }: ActionBench,
  action: Action,
  body: (it: Running) => Promise<void>,
  schema?: DatabaseSchema,
): Promise<void> {
  const bed = await start(schema);
  try {
    await bed.northbound.takeOver(never);
    await bed.peer([...ground, ...plant.operations]);
    const systems: Systems = { northbound: bed.northbound, kubernetes: memoryKubernetes() };
    const prepare: Running['prepare'] = (target = plant.target) =>
      action.prepare(target, COMMENT, systems, never);
    const prepared = async (): Promise<Prepared> => {
      const outcome = await prepare();
      if (outcome.is === 'refused') throw new Error(outcomeText(outcome));
      return outcome;
    };
    const send: Running['send'] = async ({ effect }) => {
      if (effect.on !== 'ovn-nb') throw new Error('not for Northbound');
      const answer = await bed.northbound.write(effect.operations, never);
      return answer.is === 'committed' ? 'committed' : answer.error;
    };
    await body({
      ...bed,
      systems,
      schema: await bed.northbound.schema(never),
      prepare,
      prepared,
      send,
      async refuses(code) {
        const before = await pictureOf(bed.northbound);
        expect(outcomeText(await prepare())).toMatch(refusedAs(code));
        expect(await pictureOf(bed.northbound)).toEqual(before);
      },
      async refusesAfter(operations) {
        const ready = await prepared();
        await bed.peer(operations);
        const before = await pictureOf(bed.northbound);
        expect(await send(ready)).toBe('timed out');
        expect(await pictureOf(bed.northbound)).toEqual(before);
      },
    });
  } finally {
    await bed.close();
  }
}

/** Keys more on a row. */
export const externalIds = (
  kind: string,
  uid: string,
  ...pairs: readonly (readonly [string, string])[]
): Operation =>
  operation.mutate(kind, operation.byUuid(uid), [['external_ids', 'insert', operation.map(pairs)]]);
