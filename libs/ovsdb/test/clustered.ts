import { ZOO_JSON } from './zoo';

/** The first record of a cluster member's log, whose snapshot ends at index 1 by default. */
export const header = (more: object = {}): object => ({
  server_id: 'sid',
  cluster_id: 'cid',
  name: 'Zoo',
  local_address: 'tcp:127.0.0.1:6643',
  prev_servers: { sid: 'tcp:127.0.0.1:6643' },
  prev_term: 1,
  prev_index: 1,
  prev_eid: 'eid',
  prev_data: [ZOO_JSON, {}],
  ...more,
});

/** An entry of the log that holds a transaction. */
export const entry = (
  index: number,
  transaction: object | null,
  schema: object | null = null,
  term = 1,
): object => ({ term, index, eid: `eid-${term}-${index}`, data: [schema, transaction] });
