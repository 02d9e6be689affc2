import { type JsonRow, operation, OvsdbError } from '@ovn-steward/ovsdb';
import { rowDeletion } from '@ovn-steward/contracts/actions/row-deletion';
import type { StoredRow } from '@ovn-steward/contracts/actions/undo';
import { ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import type { EffectComment } from '../action-kit/action';
import { commentOperation } from '../action-kit/comment-operation';
import { actionOf } from '../actions/registry';
import type { Systems } from '@ovn-steward/systems/systems';
import { findNamesakes } from './namesakes';
import { portAddressTaken } from './port-address-taken';
import { impossible, type UndoPlan } from './undo-plan';
import { whyNotOurs } from './why-not-ours';
import { storedRowTitle, restoreLinks } from './restore-links';
import { type StoredRows, notInSchema, thereAlready, lostReferences } from './rows-present';
import { givenAway } from './given-away';

/**
 * Puts rows back with their uuids, into the rows that held them and with the references the
 * database dropped, in one transaction (ovn-northbound.md §1.5). Reads first whether that is
 * possible without harm to what is there now; the write is bound to what was seen.
 * @throws Failure when it cannot be read.
 */
export async function undoRows(
  undo: StoredRows,
  comment: EffectComment,
  systems: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  try {
    return await planOf(undo, comment, systems, signal);
  } catch (error) {
    throw error instanceof OvsdbError ? ovsdbFailure(error) : error;
  }
}

async function planOf(
  undo: StoredRows,
  comment: EffectComment,
  systems: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  const { northbound } = systems;
  const [target] = undo.rows as [StoredRow, ...StoredRow[]];
  const title = storedRowTitle(target);
  const schema = await northbound.schema(signal);
  const foreign = notInSchema(schema, undo);
  if (foreign !== undefined)
    // An upgrade of the schema brings it back: what is to be put back for its owner waits for that.
    return {
      is: 'impossible',
      reason: `schema ${schema.version} of the database has no ${foreign} any more`,
      passes: true,
    };
  const present = await thereAlready(northbound, schema, undo.rows, signal);
  if (present !== undefined)
    return present === 'same'
      ? { is: 'back', reason: `${title} is there, as it was` }
      : impossible(present);

  const outward = await lostReferences(northbound, schema, undo.rows, signal);
  if ('missing' in outward)
    return impossible(`${title} cannot be without ${outward.missing}, which is gone`);
  const relinked = await restoreLinks(northbound, schema, undo.links, signal);
  if ('missing' in relinked) return impossible(relinked.missing);
  const namesakes = await findNamesakes(northbound, schema, undo.rows, undo.links, signal);
  if ('taken' in namesakes) return impossible(namesakes.taken);
  for (const port of undo.rows.filter((it) => it.table === 'Logical_Switch_Port')) {
    const taken = await portAddressTaken(port, undo.links, systems, signal);
    if (taken !== undefined) return impossible(taken);
  }
  const foreignRow = await whyNotOurs(northbound, schema, undo, signal);
  if (foreignRow !== undefined) return impossible(foreignRow);
  const given = await givenAway(undo, schema, systems, signal);
  if ('taken' in given) return impossible(given.taken);
  const inserts = undo.rows.map((it) => operation.insert(it.table, it.columns as JsonRow, it.uuid));
  return {
    is: 'ready',
    effect: {
      on: 'ovn-nb',
      operations: [
        ...namesakes.guards,
        ...given.guards,
        ...relinked.guards,
        ...inserts,
        ...relinked.writes,
        commentOperation(`undo: ${title}`, comment),
      ],
    },
    losses: [
      ...(actionOf(rowDeletion(target.table))?.losses ?? []),
      ...outward.losses,
      ...relinked.losses,
    ],
  };
}
