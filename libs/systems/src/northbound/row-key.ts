/** One text for a row of any table: a uuid is unique within its table only. */
export const rowKey = (table: string, uuid: string): string => `${table} ${uuid}`;
