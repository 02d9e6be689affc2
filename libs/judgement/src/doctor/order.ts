import type { Remedy } from '@ovn-steward/contracts/findings/finding';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { type Deletable, describeEntity } from '../kube-ovn/deletion';
import { FORMER_FINALIZER } from '../kube-ovn/finalizers';
import type { Release } from '../kube-ovn/release';
import {
  abandonedFinalizers,
  isDeletedOnChange,
  passedOverByStart,
  deletionTrigger,
} from '../kube-ovn/deletion-trigger';
import { kubectlDelete, kubectlEdit } from '../rule-kit/kubectl';
import type { Entity } from '../world/entity';
import type { Controller } from './controller-in';
import type { DiagnosisNode, Wait } from './tree';

/** Who does a step. `executor`: ovn-steward, by a plan that a person approves. */
export type Doer = 'kube-ovn' | 'executor' | 'person';

/** One step of the repair. */
export interface RepairStep {
  readonly node: DiagnosisNode;
  readonly who: Doer;
  readonly what: string;
  /** Of a person: what as a line for a shell, where there is one. */
  readonly run?: string;
  /** Of the executor: what can be proven now. Without one it has to wait for the steps before. */
  readonly remedy?: Remedy;
}

/** How one deletion that hangs comes to its end. */
export interface Repair {
  readonly root: DiagnosisNode;
  /** What is waited for first, the object itself last, each once. */
  readonly steps: readonly RepairStep[];
  /** Steps of trees before it that it needs, too. */
  readonly after: readonly RepairStep[];
  /** What is gone then: the root, and what is drawn below it and is being deleted. */
  readonly frees: readonly Entity[];
}

/**
 * The shortest order in which each tree goes. A step that needs another's end has its place after
 * it; who is named can do it then. No step occurs twice, in whatever tree.
 */
export function repairsOf(
  trees: readonly DiagnosisNode[],
  controller: Controller,
): readonly Repair[] {
  const drawn = drawnNodes(trees);
  const known = new Map<string, RepairStep>();
  return trees.map((root) => {
    const steps = new Set<RepairStep>();
    const after = new Set<RepairStep>();
    for (const step of stepsOf(root, drawn, controller)) {
      const key = JSON.stringify([step.who, step.what, step.run]);
      const before = known.get(key);
      if (before === undefined) steps.add(step);
      else if (!steps.has(before)) after.add(before);
      if (before === undefined) known.set(key, step);
    }
    return { root, steps: [...steps], after: [...after], frees: terminatingIn(root) };
  });
}

/** As it was drawn first, of what is drawn again. */
type DrawnNodes = ReadonlyMap<string, DiagnosisNode>;

function drawnNodes(trees: readonly DiagnosisNode[]): DrawnNodes {
  const nodes = new Map<string, DiagnosisNode>();
  const visit = (node: DiagnosisNode): void => {
    if (!node.again) nodes.set(node.entity.uid, node);
    for (const { of } of node.waits) of.forEach(visit);
  };
  trees.forEach(visit);
  return nodes;
}

function terminatingIn(root: DiagnosisNode): readonly Entity[] {
  const terminating: Entity[] = [];
  const visit = (node: DiagnosisNode): void => {
    if (node.state === 'terminating' && !node.again) terminating.push(node.entity);
    for (const { of } of node.waits) of.forEach(visit);
  };
  visit(root);
  return terminating;
}

function stepsOf(
  root: DiagnosisNode,
  drawn: DrawnNodes,
  controller: Controller,
): readonly RepairStep[] {
  const steps: RepairStep[] = [];
  const visited = new Set<string>();
  const visit = (node: DiagnosisNode): void => {
    visited.add(node.entity.uid);
    const freed = node.remedy?.target.uid;
    for (const wait of node.waits) {
      const mends = freed !== node.entity.uid && isForPerson(wait, drawn);
      for (const awaited of wait.of.map((of) => asDrawn(of, drawn)))
        if (
          !visited.has(awaited.entity.uid) &&
          !(isIdle(awaited) && (mends || awaited.entity.uid === freed))
        )
          visit(awaited);
      if (mends) steps.push(mended(node, wait));
    }
    if (node.state === 'row' || (node.state === 'there' && !node.remedy && node.waits.length > 0))
      return;
    steps.push(stepOf(node, controller));
    // What was in its way is done; the object itself still has to go.
    if (node.state === 'terminating' && freed !== undefined && freed !== node.entity.uid)
      steps.push(ending(node, controller, ' once the above is done'));
  };
  visit(asDrawn(root, drawn));
  return steps;
}

/** Of what is drawn again: with what it waits for, which is drawn above. */
const asDrawn = (node: DiagnosisNode, drawn: DrawnNodes): DiagnosisNode =>
  drawn.get(node.entity.uid) ?? node;

/** Whether it waits for nothing that is known, and nothing can be proven of it. */
const isIdle = ({ state, waits, remedy }: DiagnosisNode): boolean =>
  state === 'there' && waits.length === 0 && remedy === undefined;

/** Whether a person's remedy is all there is: nothing that is behind the wait can be freed. */
const isForPerson = ({ remedy, of }: Wait, drawn: DrawnNodes): boolean =>
  remedy !== undefined &&
  of
    .map((it) => asDrawn(it, drawn))
    .every((it) => it.waits.length === 0 && it.remedy === undefined);

const mended = (node: DiagnosisNode, { remedy, run }: Wait): RepairStep => ({
  node,
  who: 'person',
  what: remedy!,
  ...(run === undefined ? {} : { run }),
});

function stepOf(node: DiagnosisNode, controller: Controller): RepairStep {
  const name = describeEntity(node.entity);
  if (node.remedy)
    return {
      node,
      who: 'executor',
      what: `${node.remedy.action} ${describe(node.remedy.target)}: ${node.remedy.advice}`,
      remedy: node.remedy,
    };
  if (node.unknown !== undefined)
    return { node, who: 'person', what: `find out about ${name}: ${node.unknown}` };
  if (node.state === 'there') {
    const run = kubectlDelete(node.entity);
    return {
      node,
      who: 'person',
      what: `delete ${name}, if nobody needs it`,
      ...(run === undefined ? {} : { run }),
    };
  }
  const abandoned =
    node.state === 'terminating'
      ? abandonedFinalizers(node.entity as Deletable, controller.release)
      : [];
  if (abandoned.length > 0 && controller.is !== 'gone')
    return strippedByPerson(node, abandoned[0]!.because);
  return ending(node, controller, node.waits.length > 0 ? ' once the above is done' : '');
}

/** The last step of something that is being deleted. */
function ending(node: DiagnosisNode, controller: Controller, after: string): RepairStep {
  const name = describeEntity(node.entity);
  if (controller.is === 'there')
    return {
      node,
      who: 'kube-ovn',
      what: `finishes ${name} by itself${after}${retried(node, after, controller.release)}`,
    };
  if (controller.is === 'gone')
    return {
      node,
      who: 'executor',
      what: `frees ${name}${after}, when nothing of it is proven to be left in OVN`,
    };
  return {
    node,
    who: 'person',
    what: `see whether a Kube-OVN controller runs: only it, or its proven absence, frees ${name}`,
  };
}

/** What has the controller handle it anew, where it does not go. */
function retried({ entity }: DiagnosisNode, after: string, release: Release | undefined): string {
  const { finalizers = [] } = (entity as Deletable).object.metadata;
  const byStart = finalizers.some((it) => deletionTrigger(entity.kind, it, release) === 'start');
  if (isDeletedOnChange(entity.kind) && !byStart) {
    const passedOver = passedOverByStart(entity.kind, release);
    return `; if it does not, change the object${passedOver === undefined ? '' : `: ${passedOver}`}`;
  }
  return after === '' || finalizers.includes(FORMER_FINALIZER)
    ? '; restart its controller if it does not'
    : '';
}

function strippedByPerson(node: DiagnosisNode, which: string): RepairStep {
  const run = kubectlEdit(node.entity);
  return {
    node,
    who: 'person',
    what: `see that nothing of ${describeEntity(node.entity)} is left in OVN, then take off ${which}`,
    ...(run === undefined ? {} : { run }),
  };
}
