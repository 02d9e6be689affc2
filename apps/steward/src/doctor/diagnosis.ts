import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { HANGING_KINDS } from '@ovn-steward/judgement/doctor/hanging-kinds';
import { KIND_NAMES, kindNamed, shortNameOf } from '@ovn-steward/judgement/doctor/kind-names';
import { type Controller, controllerIn } from '@ovn-steward/judgement/doctor/controller-in';
import { type Repair, type RepairStep, repairsOf } from '@ovn-steward/judgement/doctor/order';
import { allStuck, type DiagnosisNode, treesOf } from '@ovn-steward/judgement/doctor/tree';
import { isTerminating } from '@ovn-steward/judgement/kube-ovn/deletion';
import { type Entity, keyOf } from '@ovn-steward/judgement/world/entity';
import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';

/** What was requested: one object, as a person names it. */
export interface DoctorTarget {
  readonly kind: string;
  /** `namespace/name` or `name`. */
  readonly key: string;
}

/** What was requested and is not there. */
export interface MissingObject extends DoctorTarget {
  /** The key of what is called most like it, if anything is. */
  readonly near?: string;
}

/** What is stuck, why, and the steps that free it. */
export interface Diagnosis {
  readonly trees: readonly DiagnosisNode[];
  /** One for each tree. */
  readonly repairs: readonly Repair[];
  /** Those of all of them. */
  readonly steps: readonly RepairStep[];
  readonly controller: Controller['is'];
  /** Of those requested: what is there and is not being deleted. */
  readonly well: readonly string[];
  /** Of those requested: what is not there. It is deleted, or the name was mistyped. */
  readonly missing: readonly MissingObject[];
  /** Why something cannot be known. */
  readonly unknown: readonly string[];
}

/**
 * `subnet/apps`, `veg/edge/out`.
 * @throws Failure `config-invalid` for what is no kind of Kube-OVN's that can be stuck.
 */
export function doctorTargetOf(text: string): DoctorTarget {
  const slash = text.indexOf('/');
  const name = text.slice(0, Math.max(0, slash));
  const key = text.slice(slash + 1);
  if (slash <= 0 || key === '')
    throw new Failure(
      'config-invalid',
      `${JSON.stringify(text)} is no object: give <kind>/<name>, such as subnet/apps or eip/web.`,
    );
  const kind = hangingKind(name);
  if (kind !== undefined) return { kind, key };
  const meant = nearest(name.toLowerCase(), KIND_NAMES);
  // One that is meant and refused, too, is no help.
  const hint = meant !== undefined && hangingKind(meant) ? ` Did you mean ${meant}?` : '';
  throw new Failure(
    'config-invalid',
    `${JSON.stringify(name)} is no kind whose deletion can be diagnosed: say one of ${[...HANGING_KINDS].map(shortNameOf).sort().join(', ')}.${hint}`,
  );
}

/** The kind of that name, if its deletion can hang. */
function hangingKind(name: string): string | undefined {
  const kind = kindNamed(name);
  return kind !== undefined && HANGING_KINDS.has(kind) ? kind : undefined;
}

/**
 * What keeps these from going, or, where none is named, all that is stuck. Pure: it reads nothing
 * but what was seen.
 */
export function diagnose({ world }: Engine, targets: readonly DoctorTarget[]): Diagnosis {
  const roots: Entity[] = [];
  const well: string[] = [];
  const missing: MissingObject[] = [];
  const unknown: string[] = [];
  for (const { kind, key } of targets) {
    const [found] = world.byKey(kind, key);
    if (found && isTerminating(found)) roots.push(found);
    else if (found) well.push(`${kind} ${key} is not being deleted`);
    else if (world.knows(kind))
      missing.push({ kind, key, ...nearTo(key, [...world.entities(kind)].map(keyOf)) });
    else
      unknown.push(
        `whether there is a ${kind} ${key} is not known: ${kind} was not listed completely`,
      );
  }
  if (targets.length === 0) {
    roots.push(...allStuck(world));
    for (const kind of HANGING_KINDS)
      if (!world.knows(kind))
        unknown.push(
          `whether any ${kind} is stuck is not known: ${kind} was not listed completely`,
        );
  }
  const trees = targets.length === 0 ? rootsOf(treesOf(roots, world)) : treesOf(roots, world);
  const controller = controllerIn(world);
  const repairs = repairsOf(trees, controller);
  const steps = repairs.flatMap((it) => it.steps);
  return { trees, repairs, steps, controller: controller.is, well, missing, unknown };
}

function nearTo(key: string, keys: readonly string[]): { readonly near?: string } {
  const near = nearest(key, keys);
  return near === undefined ? {} : { near };
}

/**
 * Of all that is stuck: what nothing else that is stuck waits for, so that each is drawn below what
 * it keeps.
 */
function rootsOf(trees: readonly DiagnosisNode[]): readonly DiagnosisNode[] {
  return trees.filter((it) => !it.again);
}

/** Every object that is drawn, by its uid. */
export function drawnIn(trees: readonly DiagnosisNode[]): ReadonlySet<string> {
  const uids = new Set<string>();
  const visit = ({ entity, waits }: DiagnosisNode): void => {
    uids.add(entity.uid);
    for (const { of } of waits) of.forEach(visit);
  };
  trees.forEach(visit);
  return uids;
}

/** A sentence about what is not there: that alone is no all-clear. */
export const missingText = ({ kind, key, near }: MissingObject): string =>
  `there is no ${kind} ${key}: it is gone, or never had that name${near === undefined ? '.' : `; did you mean ${near}?`}`;
