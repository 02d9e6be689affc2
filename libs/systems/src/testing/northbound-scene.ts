import { randomUUID } from 'node:crypto';
import { operation, type Operation, type OperationResult } from '@ovn-steward/ovsdb';
import type {
  CommittedTransaction,
  Northbound,
  RefusedTransaction,
} from '../northbound/northbound';
import { refusalText } from '../northbound/refusal-text';

const { byUuid, insert, map, mutate, select, set, uuid, wait } = operation;

/**
 * A switch with two ports, and a group that lists the first; under names of its own, so that scenes
 * do not meet.
 */
export interface Scene {
  readonly name: string;
  readonly switch: string;
  readonly port: string;
  readonly neighbour: string;
  readonly group: string;
}

export const never = new AbortController().signal;

/** Inserts a scene. The client must have taken over. */
export async function setScene(northbound: Northbound): Promise<Scene> {
  const name = `s${randomUUID().replaceAll('-', '')}`;
  const ids = Array.from({ length: 4 }, () => randomUUID());
  const [switchId, port, neighbour, group] = ids as [string, string, string, string];
  const written = await northbound.write(
    [
      insert(
        'Logical_Switch',
        {
          name,
          ports: set([uuid(port), uuid(neighbour)]),
          external_ids: map([['vendor', 'kube-ovn']]),
        },
        switchId,
      ),
      insert(
        'Logical_Switch_Port',
        {
          name: `${name}-p`,
          addresses: set(['a', 'b']),
          external_ids: map([
            ['ls', name],
            ['vendor', 'kube-ovn'],
            ['pod', `shop/${name}`],
          ]),
        },
        port,
      ),
      insert('Logical_Switch_Port', { name: `${name}-n` }, neighbour),
      insert('Port_Group', { name, ports: uuid(port) }, group),
    ],
    never,
  );
  if (written.is !== 'committed')
    throw new Error(`The scene could not be set: ${refusalText(written)}`);
  return { name, switch: switchId, port, neighbour, group };
}

/** The guards of the removal of the scene's port, as of its beginning, and the removal. */
export const removal = (scene: Scene): Operation[] => [
  wait(
    'Logical_Switch_Port',
    byUuid(scene.port),
    ['name', 'addresses', 'external_ids', 'type'],
    [
      {
        name: `${scene.name}-p`,
        addresses: set(['b', 'a']),
        external_ids: map([
          ['pod', `shop/${scene.name}`],
          ['vendor', 'kube-ovn'],
          ['ls', scene.name],
        ]),
      },
    ],
  ),
  wait(
    'Logical_Switch',
    [['ports', 'includes', uuid(scene.port)]],
    ['_uuid'],
    [{ _uuid: uuid(scene.switch) }],
  ),
  wait(
    'Port_Group',
    [['ports', 'includes', uuid(scene.port)]],
    ['_uuid'],
    [{ _uuid: uuid(scene.group) }],
  ),
  mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'delete', uuid(scene.port)]]),
  operation.comment('why'),
];

/** What brings the scene's port back. */
export const undoing = (scene: Scene): Operation[] => [
  wait('Logical_Switch_Port', [['name', '==', `${scene.name}-p`]], ['_uuid'], []),
  wait('Logical_Switch', byUuid(scene.switch), ['name'], [{ name: scene.name }]),
  insert(
    'Logical_Switch_Port',
    {
      name: `${scene.name}-p`,
      addresses: set(['a', 'b']),
      external_ids: map([
        ['ls', scene.name],
        ['vendor', 'kube-ovn'],
        ['pod', `shop/${scene.name}`],
      ]),
    },
    scene.port,
  ),
  mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'insert', uuid(scene.port)]]),
  mutate('Port_Group', byUuid(scene.group), [['ports', 'insert', uuid(scene.port)]]),
];

/** The results of what must be committed. */
export function results(
  outcome: CommittedTransaction | RefusedTransaction,
): readonly OperationResult[] {
  if (outcome.is === 'committed') return outcome.results;
  throw new Error(`Refused at ${outcome.at}: ${refusalText(outcome)}`);
}

/** One row's column; undefined where there is no such row. */
export async function valueOf(
  northbound: Northbound,
  table: string,
  id: string,
  column: string,
): Promise<unknown> {
  const [result] = results(await northbound.read([select(table, byUuid(id), [column])], never));
  return result?.kind === 'selected' ? result.rows[0]?.[column] : undefined;
}

/** Whether there is such a row. */
export const exists = async (northbound: Northbound, table: string, id: string): Promise<boolean> =>
  (await valueOf(northbound, table, id, '_uuid')) !== undefined;

/** The uuids a set of references holds, in order. */
export async function references(
  northbound: Northbound,
  table: string,
  id: string,
  column: string,
): Promise<string[]> {
  const json = (await valueOf(northbound, table, id, column)) as [string, unknown];
  const elements = json[0] === 'set' ? (json[1] as [string, string][]) : [json as [string, string]];
  return elements.map(([, element]) => element).sort();
}
