type Kebab<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}-${Kebab<Rest>}`
  : Name;

/**
 * The id of the action that deletes a whole row of a Northbound table: `delete-logical-router-port`
 * for `Logical_Router_Port`.
 */
export type RowDeletion<Table extends string> = `delete-${Lowercase<Kebab<Table>>}`;

/**
 * Names the action that deletes a row of a table. Rules propose it and the executor's action bears
 * it, so that no list of actions by table has to be kept: an action with another id does not
 * compile (`removesRow`).
 */
export const rowDeletion = <Table extends string>(table: Table): RowDeletion<Table> =>
  `delete-${table.toLowerCase().replaceAll('_', '-')}` as RowDeletion<Table>;
