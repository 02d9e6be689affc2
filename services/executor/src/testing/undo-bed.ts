import type { Operation } from '@ovn-steward/ovsdb';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { Systems } from '@ovn-steward/systems/systems';
import {
  type MemoryKubernetes,
  memoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { actionOf } from '../actions/registry';
import { prepareUndo, type UndoPlan } from '../undo/undo';
import { plantOf } from './planted';
import { ground } from './plants';
import { COMMENT, never } from './running-action';

/** A Northbound shared with Neutron, in memory, in which a plant is removed and put back. */
export class UndoBed implements Systems {
  readonly kubernetes: MemoryKubernetes = memoryKubernetes();

  private constructor(readonly northbound: MemoryNorthbound) {}

  static async open(): Promise<UndoBed> {
    const northbound = await recordedNorthbound('shared-neutron');
    await northbound.takeOver(never);
    return new UndoBed(northbound);
  }

  /** Somebody else writes. */
  peer(...operations: readonly Operation[]): void {
    const result = this.northbound.database.transact(operations);
    if (!result.ok) throw new Error(JSON.stringify(result.error));
  }

  /** Plants what this action removes, and removes it. @returns what would put it back. */
  async removed(action: string, around: readonly Operation[] = []): Promise<Undo> {
    const { operations, target } = plantOf(action);
    this.peer(...ground, ...operations, ...around);
    const prepared = await actionOf(action)!.prepare(target, COMMENT, this, never);
    if (prepared.is === 'refused' || prepared.effect.on !== 'ovn-nb')
      throw new Error(JSON.stringify(prepared));
    const answer = await this.write(prepared.effect.operations);
    if (answer !== 'committed') throw new Error(answer);
    return prepared.undo;
  }

  /** Writes as the executor does. @returns `committed`, or the error. */
  async write(operations: readonly Operation[]): Promise<string> {
    const answer = await this.northbound.write(operations, never);
    return answer.is === 'committed' ? answer.is : answer.error;
  }

  plan(undo: Undo): Promise<UndoPlan> {
    return prepareUndo(undo, COMMENT, this, never);
  }

  /** What the plan writes. @throws Error where it is not ready. */
  async planned(undo: Undo): Promise<readonly Operation[]> {
    const plan = await this.plan(undo);
    if (plan.is !== 'ready' || plan.effect.on !== 'ovn-nb') throw new Error(JSON.stringify(plan));
    return plan.effect.operations;
  }
}
