import type { Objects, Thing } from '../../incidents/actor/objects';
import { WORKERS } from '../cluster';
import { instanceOf, launch, launcherOf, type Machine, NAMESPACE } from './machines';

/** A migration of a machine from the first worker to the second, as KubeVirt leads it. */
export interface Migration {
  /** The second launcher pod is there, and the migration is being scheduled. */
  begin(): Promise<void>;
  /** The machine runs on the second worker, and the migration has succeeded. */
  succeed(): Promise<void>;
  /** The first launcher pod goes. */
  leave(): Promise<void>;
  /** The object of the migration goes. */
  forget(): Promise<void>;
}

export async function migrationOf(
  objects: Objects,
  machine: Machine,
  instance: Thing,
): Promise<Migration> {
  const [sourceNode, targetNode] = WORKERS;
  const named = {
    kind: 'VirtualMachineInstanceMigration',
    metadata: { namespace: NAMESPACE, name: `${machine.name}-moves` },
  };
  const made = await objects.create({ ...named, spec: { vmiName: machine.name } });
  const uid = made.metadata.uid!;
  const state = {
    migrationUid: uid,
    sourceNode,
    targetNode,
    sourcePod: launcherOf(machine).metadata.name,
    targetPod: launcherOf(machine, 'y').metadata.name,
  };
  /** The status of what is there, with this beside what it says. */
  const say = async (
    { kind, metadata }: Pick<Thing, 'kind' | 'metadata'>,
    status: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const is = (await objects.get(kind, metadata.name, NAMESPACE))!;
    await objects.writeStatus({ ...is, kind, status: { ...is.status, ...status } });
  };
  return {
    async begin() {
      await say(instanceOf(machine), { phase: 'Running', nodeName: sourceNode });
      const labels = { 'kubevirt.io/migrationJobUID': uid };
      await launch(objects, machine, instance, { nth: 'y', node: targetNode, labels });
      await say(instanceOf(machine), { migrationState: state });
      await say(named, { phase: 'Scheduling', migrationState: state });
    },
    async succeed() {
      const ended = { ...state, completed: true, endTimestamp: new Date().toISOString() };
      await say(instanceOf(machine), { nodeName: targetNode, migrationState: ended });
      await say(named, { phase: 'Succeeded', migrationState: ended });
    },
    leave: () => objects.remove(launcherOf(machine), true),
    forget: () => objects.remove(named),
  };
}
