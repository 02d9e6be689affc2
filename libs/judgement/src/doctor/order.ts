import type { Remedy } from '@ovn-steward/contracts/findings/finding';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { abandonedFinalizers, type Deletable, describeEntity } from '../kube-ovn/deletion';
import { kubectlDelete, kubectlEdit } from '../rule-kit/kubectl';
import type { World } from '../world/world';
import type { DiagnosisNode } from './tree';

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

/** Whether Kube-OVN's controller is there to finish what it can; unknown while what would run it was not read completely. */
export type Controller = 'there' | 'gone' | 'unknown';

export function controllerIn(world: World): Controller {
  if (world.hasRelated(kubeOvnControllers.id, 'kube-ovn-controller')) return 'there';
  return CONTROLLER_KINDS.every((it) => world.knows(it)) ? 'gone' : 'unknown';
}

/**
 * The shortest order in which all of it goes: what is waited for first, the object itself last, each once.
 * A step that needs another's end has its place after it; who is named can do it then.
 */
export function orderOf(
  trees: readonly DiagnosisNode[],
  controller: Controller,
): readonly RepairStep[] {
  const steps: RepairStep[] = [];
  const visit = (node: DiagnosisNode): void => {
    if (node.again) return;
    for (const wait of node.waits) {
      wait.of.forEach(visit);
      if (
        wait.remedy !== undefined &&
        (wait.of.length === 0 ||
          wait.of.every((it) => it.waits.length === 0 && it.remedy === undefined))
      )
        steps.push({
          node,
          who: 'person',
          what: wait.remedy,
          ...(wait.run === undefined ? {} : { run: wait.run }),
        });
    }
    if (
      node.state === 'row' ||
      (node.state === 'there' && node.remedy === undefined && node.waits.length > 0)
    )
      return;
    steps.push(stepOf(node, controller));
  };
  trees.forEach(visit);
  return steps;
}

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
    node.state === 'terminating' ? abandonedFinalizers(node.entity as Deletable) : [];
  if (abandoned.length > 0 && controller !== 'gone')
    return strippedByPerson(node, abandoned[0]!.because);
  const after = node.waits.length > 0 ? ' once the above is done' : '';
  if (controller === 'there')
    return {
      node,
      who: 'kube-ovn',
      what: `finishes ${name} by itself${after || '; restart its controller if it does not'}`,
    };
  if (controller === 'gone')
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

function strippedByPerson(node: DiagnosisNode, which: string): RepairStep {
  const run = kubectlEdit(node.entity);
  return {
    node,
    who: 'person',
    what: `see that nothing of ${describeEntity(node.entity)} is left in OVN, then take off ${which}`,
    ...(run === undefined ? {} : { run }),
  };
}
