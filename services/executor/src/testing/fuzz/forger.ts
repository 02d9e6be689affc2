import { type ActionRecord, ActionState } from '@ovn-steward/contracts/actions/action';
import { actionIn, encodeAction } from '@ovn-steward/contracts/actions/action-codec';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Log, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { ACTIONS, CONTROL } from '@ovn-steward/shared/log/topics';
import { SIGNATURE_HEADER } from '@ovn-steward/shared/signing/signature-header';
import { controlEntry } from '../controls';
import { RECORDED_CLUSTER } from '../recorded-engine';
import { ANNA, EXECUTOR, logOf, MALLORY } from '../signing';
import { type Cluster, rowsOf } from './cluster';
import { isUnsettled } from './give-ups';

export interface ForgerOptions {
  readonly cluster: Cluster;
  /** As anybody reaches it who may write to its topics. */
  readonly log: Log;
  readonly partition: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const CODES = [
  'racing',
  'putting-back',
  'undoing',
  'settled',
  'sending',
  'claimed',
  'done',
  'given-up',
] as const;

/**
 * Somebody who may write to the topics and has no key that counts there: one record, forged or
 * published again.
 */
export function createForger({ cluster, log, partition, now }: ForgerOptions): () => Promise<void> {
  const { random } = cluster;
  const seen = async (topic: string): Promise<readonly LogRecord[]> =>
    (await log.read(topic, partition, 0n, 500)).records;
  const again = ({ key, value, headers }: LogRecord): NewRecord => ({
    key,
    value,
    headers,
    timestamp: now(),
  });

  /**
   * Unsigned, by a stranger, by somebody whose key is for another topic, or with the signature of
   * another record.
   */
  const append = async (topic: string, record: NewRecord): Promise<void> => {
    const wrongRole = topic === ACTIONS ? ANNA : EXECUTOR;
    switch (random.int(4)) {
      case 0:
        return void (await log.append(topic, partition, [record]));
      case 1:
        return void (await logOf(log, MALLORY, now).append(topic, partition, [record]));
      case 2:
        return void (await logOf(log, wrongRole, now).append(topic, partition, [record]));
      default: {
        const signature = random.maybe(await seen(topic))?.headers?.[SIGNATURE_HEADER];
        const headers = { ...record.headers, ...(signature && { [SIGNATURE_HEADER]: signature }) };
        return void (await log.append(topic, partition, [{ ...record, headers }]));
      }
    }
  };

  const forgedAction = (base: ActionRecord): ActionRecord => ({
    ...base,
    id: random.chance(0.5) ? base.id : random.uuid().replaceAll('-', ''),
    revision: base.revision + random.int(4),
    state: random.pick(ActionState.options),
    code: random.pick(CODES),
    mode: 'enforce',
    approvedBy: 'anna',
    undo: random.chance(0.6) ? aclBack(cluster) : base.undo,
  });

  const forgedControl = (
    actions: readonly ActionRecord[],
    decided: readonly Control[],
  ): Control => {
    const common = {
      version: 1 as const,
      id: random.uuid(),
      cluster: RECORDED_CLUSTER,
      by: 'anna',
      at: new Date(now()).toISOString(),
    };
    const action = random.maybe(random.chance(0.5) ? actions.filter(isUnsettled) : actions);
    if (action === undefined || random.chance(0.3)) {
      const held = random.maybe(decided.filter((each) => each.type === 'hold'));
      return { ...common, type: 'resume', scope: held?.scope ?? {} };
    }
    const about = { finding: action.finding.id, revision: action.finding.revision };
    return random.pick<Control>([
      { ...common, type: 'undo', of: action.id },
      { ...common, type: 'undo', of: action.id },
      { ...common, type: 'approve', ...about },
      { ...common, type: 'withdraw', of: `undo/${action.id}` },
      {
        ...common,
        type: 'give-up',
        of: action.id,
        claimedAt: action.claimedAt ?? action.at,
        reason: 'forged',
      },
    ]);
  };

  return async () => {
    const topic = random.pick([ACTIONS, CONTROL]);
    const records = await seen(topic);
    const old = random.maybe(records);
    if (old && random.chance(0.3)) return void (await log.append(topic, partition, [again(old)]));
    if (old && random.chance(0.15))
      return append(topic, { ...again(old), headers: {}, value: null });
    const actions = (topic === ACTIONS ? records : await seen(ACTIONS)).flatMap(({ value }) =>
      value === null ? [] : [actionIn(value.toString('utf8'))],
    );
    if (topic === CONTROL)
      return append(CONTROL, controlEntry(forgedControl(actions, valuesOf<Control>(records))));
    const base = random.maybe(actions);
    if (!base) return undefined;
    const action = forgedAction(base);
    return append(ACTIONS, encodeAction(action, now()));
  };
}

const valuesOf = <T>(records: readonly LogRecord[]): readonly T[] =>
  records.flatMap(({ value }) => (value === null ? [] : [JSON.parse(value.toString('utf8')) as T]));

/** What would put a rule into the database that no executor ever took from there. */
function aclBack(cluster: Cluster): ActionRecord['undo'] {
  const { random } = cluster;
  const [holder, row] = random.maybe(rowsOf(cluster, 'Logical_Switch')) ?? [random.uuid(), {}];
  const uuid = random.uuid();
  return {
    of: 'rows',
    rows: [
      {
        table: 'ACL',
        uuid,
        name: '',
        columns: { action: 'allow', direction: 'to-lport', match: 'ip4', priority: 32767 },
      },
    ],
    links: [
      {
        table: 'Logical_Switch',
        uuid: holder,
        name: String(row['name'] ?? ''),
        column: 'acls',
        to: { table: 'ACL', uuid },
        strength: 'strong',
      },
    ],
  };
}
