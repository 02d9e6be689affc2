import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '@ovn-steward/ovsdb';
import type { Action } from '@ovn-steward/shared/events/action';
import type { Reference } from '@ovn-steward/shared/events/reference';
import { CALLED_OFF } from '@ovn-steward/shared/marks';
import type { KubernetesObject } from '../../kubernetes/kubernetes';
import { PUT_BACK } from '../../kubernetes/manifest';
import type { KubernetesCall, MemoryKubernetes } from '../memory-kubernetes';
import type { Cluster } from './cluster';
import { isPart, keptIncarnation, keptRow, reasonToKeep, withoutGone } from './oracle';
import {
  differences,
  grew,
  grewFinalizer,
  referrersOf,
  type Row,
  type Rows,
  sameJson,
  withoutEntry,
} from './pictures';
import { emptyTally, type Offence, type Tally } from './tally';

/** Something that went though somebody wanted it, and may yet be put back. */
interface Doubtful {
  readonly action: string;
  readonly target: Reference;
  readonly reason: string;
  readonly image: Row | KubernetesObject;
}

/** What was done about one action. */
export interface Committed {
  readonly removals: number;
  readonly undos: number;
  /** Nobody can see what was done: somebody put the entry there again, which has no incarnation, or took the thing before. */
  readonly overtaken: boolean;
}

/** Sees every commit of every executor at its instant, and judges it by what was true then. */
export interface Referee {
  readonly tally: Tally;
  readonly offences: readonly Offence[];
  offend(kind: Offence['kind'], what: string): void;
  /** Told of every record an executor writes into its book. */
  hear(action: Action): void;
  /** Watches what this client changes. `claimed`: what the executor behind it is about. */
  watch(
    kubernetes: MemoryKubernetes,
    claimed: () => Action | undefined,
  ): {
    readonly before: (call: KubernetesCall) => void;
    readonly after: (call: KubernetesCall) => void;
  };
  /** Somebody else has moved: what nobody wants any more may stay gone. */
  observe(): void;
  /** An executor has finished what it was at: whatever went wrongly must be back by now, or, where it says that it was raced, `atLast`. */
  settle(atLast?: boolean): void;
  /** At the end of all: of each action, whether something of it is removed now. */
  committed(): ReadonlyMap<string, Committed>;
}

const WRITES: ReadonlySet<KubernetesCall['verb']> = new Set<KubernetesCall['verb']>([
  'delete',
  'evict',
  'patch',
  'create',
]);

export function createReferee(cluster: Cluster): Referee {
  const tally = emptyTally();
  const offences: Offence[] = [];
  const actions = new Map<string, Action>();
  const effects = new Map<string, { removals: number; undos: number }>();
  const images = new Map<
    string,
    {
      readonly action: string;
      readonly row: Row;
      readonly referrers: readonly (readonly [table: string, uuid: string, column: string])[];
    }
  >();
  /** Of each name every incarnation that was removed, the last first. */
  const objects = new Map<
    string,
    { readonly object: KubernetesObject; readonly action: string; readonly whole: boolean }[]
  >();
  const overtaken = new Set<string>();
  const claimed = new Map<string, Reference>();
  /** Actions that took an entry out of a row, which has no incarnation. */
  const entries = new Map<string, Reference>();
  /** What was put back into the database and is there since. What somebody has taken meanwhile may be put back once more: nobody can tell that from an attempt that never arrived. */
  const standing = new Map<string, Reference>();
  /** Found gone after a claim: nobody knows by whom, and it may be put back all the same. */
  const settled = new Set<string>();
  let doubtful: Doubtful[] = [];

  const offend = (kind: Offence['kind'], what: string): void => {
    tally[kind] += 1;
    offences.push({ kind, what });
  };
  const count = (action: string, what: 'removals' | 'undos'): void => {
    const of = effects.get(action) ?? { removals: 0, undos: 0 };
    effects.set(action, of);
    of[what] += 1;
    tally[what === 'removals' ? 'removals' : 'undone'] += 1;
    if (of[what] > 1 && (what === 'removals' || standing.has(action)))
      offend('doubleEffects', `action ${describe(action)}: ${of[what]} ${what}`);
  };
  const describe = (action: string): string => {
    const it = actions.get(action);
    return it
      ? `${action.slice(0, 12)} (${it.rule}, ${it.action}, ${it.target.kind} ${it.target.name || it.target.uid}${it.target.part ? ` ${it.target.part.column} ${it.target.part.key}` : ''})`
      : action;
  };
  const doubt = (
    action: string,
    target: Reference,
    reason: string | undefined,
    image: Row | KubernetesObject,
  ): void => {
    if (reason !== undefined) doubtful.push({ action, target, reason, image });
  };

  const { database } = cluster.northbound;
  const picture = (): Rows =>
    new Map(
      [...database.schema.tables.keys()].map((table) => [table, new Map(database.rows(table))]),
    );
  const transact = database.transact.bind(database);
  database.transact = (operations, owns) => {
    if (operations[0]?.op !== 'assert') {
      const moved = transact(operations, owns);
      for (const [id, { kind, uid, part }] of standing)
        if (part === undefined ? !database.rows(kind).has(uid) : !standsAgain(standing.get(id)!))
          standing.delete(id);
      for (const [id, target] of entries) if (standsAgain(target)) overtaken.add(id);
      return moved;
    }
    const action = actionOf(operations);
    const before = picture();
    const target = claimed.get(action);
    const reason = target && reasonToKeep(cluster, target);
    const result = transact(operations, owns);
    if (result.ok) judgeRows(action, target, reason, before, picture());
    else tally.refusals += 1;
    return result;
  };

  function judgeRows(
    action: string,
    target: Reference | undefined,
    reason: string | undefined,
    before: Rows,
    after: Rows,
  ): void {
    if (!target)
      return offend('wrongDeletions', `a write of no action that was claimed: ${action}`);
    const [gone, come, changed] = differences(before, after);
    if (come.length > 0 || (target.part !== undefined && grew(before, after, target))) {
      count(action, 'undos');
      standing.set(action, target);
      doubtful = doubtful.filter((it) => it.action !== action);
      for (const [table, uuid] of come) putBack(action, table, uuid, after);
      return;
    }
    if (gone.length === 0 && changed.length === 0) return;
    count(action, 'removals');
    if (target.part !== undefined) entries.set(action, target);
    for (const [table, uuid] of gone) {
      const row = before.get(table)!.get(uuid)!;
      images.set(`${table} ${uuid}`, { action, row, referrers: referrersOf(before, table, uuid) });
      if (table === target.kind && uuid === target.uid && target.part === undefined)
        doubt(action, target, reason, row);
      else if (!isPart(target.kind, table, row) || keptPart(before, table, uuid, target, row))
        offend(
          'wrongDeletions',
          `${describe(action)} took ${table} ${uuid} along: ${JSON.stringify(row)}`,
        );
    }
    if (target.part !== undefined)
      doubt(action, target, reason, before.get(target.kind)?.get(target.uid) ?? {});
    if (
      target.part === undefined &&
      !gone.some(([table, uuid]) => table === target.kind && uuid === target.uid)
    )
      offend('wrongDeletions', `${describe(action)} removed something else than its target`);
    for (const [table, uuid] of changed)
      checkChanged(action, target, [table, uuid], before, after, gone);
  }

  /** Parts go only with the row that alone held them. */
  const keptPart = (
    before: Rows,
    table: string,
    uuid: string,
    target: Reference,
    row: Row,
  ): boolean =>
    referrersOf(before, table, uuid).some(
      ([by, holder]) => by !== target.kind || holder !== target.uid,
    ) ||
    JSON.stringify(row['external_ids']).includes('neutron:') ||
    JSON.stringify(row['external_ids']).includes('someone');

  /** Rows that stay change only in that they forget what went, or lose the one entry. */
  function checkChanged(
    action: string,
    target: Reference,
    [table, uuid]: readonly [string, string],
    before: Rows,
    after: Rows,
    gone: readonly (readonly [string, string])[],
  ): void {
    const [then, now] = [before.get(table)!.get(uuid)!, after.get(table)!.get(uuid)!];
    const isGone = (it: string): boolean => gone.some(([, each]) => each === it);
    for (const column of Object.keys(then)) {
      if (isDeepStrictEqual(then[column], now[column])) continue;
      const isEntry =
        target.part !== undefined &&
        table === target.kind &&
        uuid === target.uid &&
        column === target.part.column;
      const expected = isEntry
        ? withoutEntry(then[column], target.part!.key)
        : withoutGone(then[column], isGone);
      if (!sameJson(expected, now[column]))
        offend(
          'wrongDeletions',
          `${describe(action)} changed column ${column} of ${table} ${uuid} from ${JSON.stringify(then[column])} to ${JSON.stringify(now[column])}`,
        );
    }
  }

  function putBack(action: string, table: string, uuid: string, after: Rows): void {
    const image = images.get(`${table} ${uuid}`);
    const now = after.get(table)!.get(uuid)!;
    if (!image && settled.has(action)) return;
    if (!image)
      return offend(
        'undoMismatches',
        `${describe(action)} put in ${table} ${uuid}, which no executor removed`,
      );
    // Two executors may each have taken the removal for theirs: it is the one thing that is back.
    if (image.action !== action && effects.get(image.action)?.undos === 0)
      effects.get(image.action)!.undos = 1;
    const isGone = (it: string): boolean => ![...after.values()].some((rows) => rows.has(it));
    for (const column of Object.keys(image.row))
      if (!sameJson(withoutGone(image.row[column], isGone), now[column]))
        offend(
          'undoMismatches',
          `${describe(action)}: column ${column} of ${table} ${uuid} was ${JSON.stringify(image.row[column])} and is ${JSON.stringify(now[column])}`,
        );
    for (const [by, holder, column] of image.referrers) {
      const row = after.get(by)?.get(holder);
      if (
        row &&
        database.schema.tables.get(by)?.columns.get(column)?.kind === 'set' &&
        !JSON.stringify(row[column]).includes(uuid)
      )
        offend(
          'undoMismatches',
          `${describe(action)}: ${by} ${holder} does not refer to ${table} ${uuid} again (${column})`,
        );
    }
  }

  return {
    tally,
    offences,
    offend,
    hear(action) {
      // A former executor may still say something, into its own book: of two records the later revision counts, and of one revision the first.
      if ((actions.get(action.id)?.revision ?? 0) < action.revision) actions.set(action.id, action);
      // Findings that lie may have one id and other targets: what is done is done about the target that was claimed last.
      if (action.state === 'claimed') claimed.set(action.id, action.target);
      if (action.code === 'settled') settled.add(action.id);
    },
    watch(kubernetes, claimed) {
      const find = ({ kind, namespace, name }: KubernetesCall): KubernetesObject | undefined =>
        kubernetes
          .objects(kind)
          .find((it) => it.metadata.name === name && it.metadata.namespace === namespace);
      let seen:
        | { readonly object: KubernetesObject | undefined; readonly reason: string | undefined }
        | undefined;
      return {
        before(call) {
          if (!WRITES.has(call.verb)) return;
          const action = claimed();
          seen = {
            object: find(call),
            reason:
              action && action.target.source === 'kubernetes'
                ? reasonToKeep(cluster, action.target)
                : 'nothing was claimed',
          };
        },
        after(call) {
          if (!WRITES.has(call.verb) || !seen) return;
          const [{ object, reason }, now, action] = [seen, find(call), claimed()];
          seen = undefined;
          if (object === now) return void (tally.refusals += 1);
          if (call.verb === 'patch' && object && now && isCalledOff(object, now)) return;
          if (call.verb === 'create') return madeAgain(call, now);
          if (call.verb === 'patch' && object && grewFinalizer(object, now))
            return strippedBack(call);
          if (!action)
            return offend(
              'wrongDeletions',
              `${call.verb} ${call.kind} ${call.name} of no action that was claimed`,
            );
          const { target } = action;
          if (!object || object.metadata.uid !== target.uid || call.kind !== target.kind)
            return offend(
              'wrongDeletions',
              `${describe(action.id)} did ${call.verb} of ${call.kind} ${call.name}, which is not its target`,
            );
          count(action.id, 'removals');
          objects.set(keyOf(call), [
            { object, action: action.id, whole: call.verb !== 'patch' },
            ...(objects.get(keyOf(call)) ?? []),
          ]);
          doubt(action.id, target, reason, object);
        },
      };
    },
    observe() {
      doubtful = doubtful.filter((it) => {
        if (stillWanted(it) !== undefined) return true;
        tally.raced += 1;
        return false;
      });
    },
    settle(atLast = false) {
      const waiting: Doubtful[] = [];
      for (const it of doubtful) {
        const { target, image, action } = it;
        // A claim may be left to the next executor, and so may what is being put back; an object that is still being deleted is to be made again when it is gone.
        const { state, code } = actions.get(action) ?? {};
        if (
          !atLast &&
          (state === 'claimed' ||
            code === 'racing' ||
            code === 'putting-back' ||
            (code === 'raced-unclear' && target.source === 'kubernetes') ||
            (code === 'raced' && target.source === 'kubernetes'))
        ) {
          waiting.push(it);
          continue;
        }
        const back =
          target.source === 'kubernetes' ? objectStands(target) : rowStands(target, image as Row);
        const still = stillWanted(it);
        if (back || still === undefined) tally.raced += 1;
        else
          offend(
            'wrongDeletions',
            `${describe(action)} removed what is no garbage: ${it.reason}; still: ${still}; ledger: ${actions.get(action)?.state} ${actions.get(action)?.code} ${actions.get(action)?.reason}`,
          );
      }
      doubtful = waiting;
    },
    committed() {
      const unseen = [...settled]
        .filter((id) => (effects.get(id)?.removals ?? 0) === 0)
        .map((id) => [id, { removals: 0, undos: 0, overtaken: true }] as const);
      return new Map([
        ...[...effects].map(([id, it]) => [id, { ...it, overtaken: overtaken.has(id) }] as const),
        ...unseen,
      ]);
    },
  };

  function stillWanted({ target, image }: Doubtful): string | undefined {
    return target.source === 'kubernetes'
      ? keptIncarnation(cluster, target.kind, image as KubernetesObject, target.part)
      : keptRow(cluster, target.kind, target.uid, image as Row, target.part);
  }

  function madeAgain(call: KubernetesCall, now: KubernetesObject | undefined): void {
    const removed = objects.get(keyOf(call)) ?? [];
    const mark = (now?.metadata['annotations'] as Readonly<Record<string, string>> | undefined)?.[
      PUT_BACK
    ];
    const kept = (it: KubernetesObject): unknown => [
      it['spec'],
      it.metadata['labels'],
      {
        ...(it.metadata['annotations'] as object | undefined),
        [PUT_BACK]: undefined,
        [CALLED_OFF]: undefined,
      },
    ];
    const it = removed.find(({ action }) => action === mark);
    const settledOne = mark !== undefined && settled.has(mark) ? actions.get(mark) : undefined;
    if (!it && settledOne) return count(settledOne.id, 'undos');
    if (!it || !now)
      return offend(
        'undoMismatches',
        `${call.kind} ${call.name} was made, which no executor removed`,
      );
    count(it.action, 'undos');
    doubtful = doubtful.filter((each) => each.action !== it.action);
    if (!isDeepStrictEqual(kept(it.object), kept(now)))
      offend(
        'undoMismatches',
        `${describe(it.action)}: ${call.kind} ${call.name} was ${JSON.stringify(kept(it.object))} and is ${JSON.stringify(kept(now))}`,
      );
  }

  function strippedBack(call: KubernetesCall): void {
    const removed = objects.get(keyOf(call))?.find((each) => !each.whole);
    if (!removed)
      return offend(
        'undoMismatches',
        `a finalizer of ${call.kind} ${call.name} was put on, which no executor removed`,
      );
    count(removed.action, 'undos');
    doubtful = doubtful.filter((it) => it.action !== removed.action);
  }

  /** The very row, or one of that name, or one without a name that says the same to OVN, that was made since. */
  function rowStands({ kind, uid, part }: Reference, image: Row): boolean {
    const row = database.rows(kind).get(uid);
    if (row && part !== undefined)
      return JSON.stringify(row[part.column]).includes(JSON.stringify(part.key));
    const name = image['name'];
    const isTwin = (it: Row): boolean =>
      typeof name === 'string' && name !== ''
        ? it['name'] === name
        : Object.keys(image).every(
            (column) => column === 'external_ids' || sameJson(it[column], image[column]),
          );
    return row !== undefined || [...database.rows(kind).values()].some(isTwin);
  }

  function standsAgain(target: Reference): boolean {
    if (target.source === 'kubernetes') return objectStands(target);
    return JSON.stringify(
      database.rows(target.kind).get(target.uid)?.[target.part!.column] ?? null,
    ).includes(JSON.stringify(target.part!.key));
  }

  function objectStands({ kind, namespace, name }: Reference): boolean {
    return cluster.kubernetes
      .objects(kind)
      .some(
        (it) =>
          it.metadata.name === name &&
          it.metadata.namespace === namespace &&
          it.metadata.deletionTimestamp === undefined,
      );
  }
}

const keyOf = ({ kind, namespace = '', name = '' }: KubernetesCall): string =>
  `${kind} ${namespace}/${name}`;

/** That nothing was changed but the mark which keeps an earlier request from arriving. */
function isCalledOff(before: KubernetesObject, after: KubernetesObject): boolean {
  const others = ({ metadata, ...object }: KubernetesObject): unknown => {
    const { resourceVersion: _, annotations, ...kept } = metadata;
    return [object, kept, { ...(annotations as object | undefined), [CALLED_OFF]: undefined }];
  };
  return isDeepStrictEqual(others(before), others(after));
}

/** The idempotency key, which every transaction carries in its comment. */
function actionOf(operations: readonly Operation[]): string {
  const comment = operations.find((it) => it.op === 'comment');
  return (
    /action ([0-9a-f]+)/.exec(comment?.op === 'comment' ? comment.comment : '')?.[1] ?? 'unnamed'
  );
}
