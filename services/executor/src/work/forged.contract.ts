import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { ActionState } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { ACTIONS, CONTROL, DEAD_LETTER, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { action } from '../testing/actions';
import { decision, controlEntry } from '../testing/controls';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER as CLUSTER } from '../testing/recorded-engine';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import { ANNA, BOB, EXECUTOR, logOf, MALLORY, ONLY_HOLDS } from '../testing/signing';

const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const UNDOS: readonly Undo[] = [
  {
    of: 'rows',
    rows: [
      {
        table: 'ACL',
        uuid: '00000000-0000-4000-8000-000000000abc',
        name: '',
        columns: { action: 'drop', direction: 'to-lport', match: 'ip4', priority: 32767 },
      },
    ],
    links: [],
  },
  {
    of: 'object',
    kind: 'Vip',
    manifest: {
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vip',
      metadata: { name: 'forged' },
      spec: { subnet: 'ovn-default', v4ip: '10.16.0.99' },
    },
  },
  {
    of: 'field',
    kind: 'Pod',
    namespace: 'shop',
    name: 'web-0',
    uid: 'u',
    path: '/metadata/annotations/forged',
    value: 'x',
  },
];

/**
 * Whatever somebody without a key that is trusted for it writes to the topics, an executor with
 * every rule enforced does nothing about it, and counts it.
 */
export function describeForgeries(open: () => Promise<Log>): void {
  let bare: Log;
  let northbound: MemoryNorthbound;
  let kubernetes: MemoryKubernetes;
  let proposals: Proposal[];

  beforeEach(async () => {
    bare = await open();
    await bare.ensureTopics(TOPICS);
    ({ northbound, kubernetes } = await recordedSystems('leaky'));
    proposals = (await recordedProposals('leaky')).slice(0, 3);
  });

  const objects = (): string[] =>
    ['IP', 'Vip', 'Pod', 'OvnEip'].flatMap((kind) =>
      kubernetes.objects(kind).map((it) => JSON.stringify(it)),
    );
  const recordOf = (control: object): NewRecord => ({
    ...controlEntry(decision({ cluster: CLUSTER, ...control } as Parameters<typeof decision>[0])),
    timestamp: Date.now(),
  });
  /** A record of each kind there is. */
  const actions = (): NewRecord[] =>
    ActionState.options.flatMap((state, nth) =>
      UNDOS.flatMap((undo, kind) =>
        ['racing', 'putting-back', state].map((code): NewRecord => {
          const forged: ActionRecord = action(`forged-${nth}-${kind}-${code}`, {
            cluster: CLUSTER,
            state,
            code,
            undo,
          });
          return { key: forged.id, value: JSON.stringify(forged), timestamp: Date.now() };
        }),
      ),
    );
  const controls = (undone: string): NewRecord[] => [
    recordOf({ type: 'resume', scope: {} }),
    ...proposals.map((it) => recordOf({ type: 'approve', finding: it.id, revision: it.revision })),
    recordOf({ type: 'undo', of: undone }),
    recordOf({ type: 'withdraw', of: `approve/${proposals[0]!.id}` } satisfies Partial<Control>),
  ];
  const tombstones = (records: readonly NewRecord[]): NewRecord[] =>
    records.map((it) => ({ ...it, value: null }));
  const newest = async (topic: string): Promise<readonly NewRecord[]> => {
    const { low } = await bare.watermarks(topic, PARTITION);
    return (await bare.read(topic, PARTITION, low, 500)).records.map(
      ({ key, value, headers, timestamp }) => ({ key, value, headers, timestamp }),
    );
  };

  test('forged, stolen and replayed records of every type move nothing, and are counted', async () => {
    const refused = new Map<string, number>();
    const executor = scene({ northbound, kubernetes }, () => proposals, OPEN_LIMITS, {
      log: logOf(bare, EXECUTOR),
      onEvent: (event) => {
        if (event.type !== 'refused') return;
        const what = `${event.topic} ${event.reason}`;
        refused.set(what, (refused.get(what) ?? 0) + 1);
      },
    });
    try {
      // Signed by who may: a removal, then a hold of everything.
      await executor.turns(1);
      const [done] = executor.actions().filter(({ state }) => state === 'done');
      expect(done).toBeDefined();
      await logOf(bare, ANNA).append(CONTROL, PARTITION, [
        recordOf({ type: 'resume', scope: {} }),
        recordOf({ type: 'hold', scope: {}, reason: 'maintenance', until: null }),
      ]);
      const [oldResume] = await newest(CONTROL);
      await executor.turns(1);
      const genuine = await newest(ACTIONS);
      const before = contentOf(northbound);
      const then = objects();
      const ledger = executor.actions();

      const decided = controls(done!.id);
      for (const records of [decided, tombstones(decided)]) {
        await bare.append(CONTROL, PARTITION, records);
        for (const holder of [MALLORY, EXECUTOR])
          await logOf(bare, holder).append(CONTROL, PARTITION, records);
      }
      await logOf(bare, ONLY_HOLDS).append(CONTROL, PARTITION, decided.slice(1));
      await bare.append(CONTROL, PARTITION, [oldResume!]);
      await bare.append(CONTROL, PARTITION, [
        { ...decided[1]!, headers: oldResume!.headers ?? {} },
      ]);
      const acted = [...actions(), ...tombstones(genuine)];
      await bare.append(ACTIONS, PARTITION, acted);
      for (const holder of [MALLORY, ANNA])
        await logOf(bare, holder).append(ACTIONS, PARTITION, acted.map(unsigned));
      await bare.append(ACTIONS, PARTITION, genuine);
      await executor.turns(2);

      expect(contentOf(northbound)).toEqual(before);
      expect(objects()).toEqual(then);
      expect(executor.actions()).toEqual(ledger);
      const each = decided.length;
      expect(Object.fromEntries(refused)).toEqual({
        [`${CONTROL} unsigned`]: 2 * each,
        [`${CONTROL} unknown-key`]: 2 * each,
        [`${CONTROL} role`]: 2 * each + each - 1,
        [`${CONTROL} replayed`]: 1,
        [`${CONTROL} wrong-signature`]: 1,
        [`${ACTIONS} unsigned`]: actions().length,
        [`${ACTIONS} wrong-signature`]: genuine.length,
        [`${ACTIONS} unknown-key`]: acted.length,
        [`${ACTIONS} role`]: acted.length,
      });
      const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
      expect((await newest(DEAD_LETTER)).length).toBe(Math.min(total, 500));
    } finally {
      await executor.close();
    }
  });

  // After the other: on Kafka both have the same topics, and that one counts all that is refused.
  test('a claim is given up by who may decide that, and by nobody else', async () => {
    const executor = scene({ northbound, kubernetes }, () => [], OPEN_LIMITS, {
      log: logOf(bare, EXECUTOR),
    });
    try {
      const { id, claimedAt } = stuckClaim(executor);
      const word = recordOf({ type: 'give-up', of: id, claimedAt, reason: 'the table is gone' });
      await bare.append(CONTROL, PARTITION, [word]);
      for (const holder of [MALLORY, EXECUTOR, ONLY_HOLDS])
        await logOf(bare, holder).append(CONTROL, PARTITION, [word]);
      await executor.turns(2);
      expect(executor.ledger.get(id)).toMatchObject({ state: 'claimed' });
      await logOf(bare, BOB).append(CONTROL, PARTITION, [word]);
      await executor.turns(1);
      expect(executor.ledger.get(id)).toMatchObject({
        state: 'failed',
        code: 'given-up',
        reason: expect.stringMatching(/^bob gave it up \(the table is gone\)/),
      });
    } finally {
      await executor.close();
    }
  });
}

/** A claim that nobody can settle: what it is of cannot be read. */
function stuckClaim({ ledger }: Scene): ActionRecord {
  const claim = action('stuck', { cluster: CLUSTER, rule: 'stuck' });
  const stuck = { ...claim, target: { ...claim.target, uid: 'no uuid at all' } };
  ledger.write([stuck]);
  return stuck;
}

const unsigned = ({ key, value, timestamp }: NewRecord): NewRecord => ({ key, value, timestamp });
