import { Mode } from '@ovn-steward/shared/mode';
import { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { FollowedPartition } from '@ovn-steward/service/kafka/followed-partition';
import { z } from 'zod';
import { StandingHold } from '../control/standing-holds';
import { UnansweredRequest } from './unanswered';
import { UnsettledClaim } from './unsettled-view';

/** What `/status` of an executor shows besides what it shows of every service. */
export const ExecutorStatus = z.object({
  cluster: z.string().nullable().describe('The one it acts for; null: for none.'),
  acting: z
    .boolean()
    .describe(
      'Whether it may act on the cluster of its settings, as the modes of the rules allow; else it watches.',
    ),
  identity: z
    .object({
      ledger: ClusterIdentity.nullable().describe(
        'The living systems the ledger belongs to; null before the first claim.',
      ),
      systems: ClusterIdentity.describe('Those that answer.'),
      refuses: z
        .string()
        .nullable()
        .describe('Why nothing is done, where they are others; then a person has to say which.'),
    })
    .nullable()
    .describe('Null while this executor has not acted: it has not its turn, or acts on nothing.'),
  holds: z
    .array(StandingHold)
    .nullable()
    .describe(
      'The holds in force; null while this executor does not follow what people decide: it has not its turn, or acts on nothing.',
    ),
  mode: Mode.describe('Of rules that executor.rules does not name.'),
  rules: z.record(z.string(), Mode).describe('Of the rules it names.'),
  actions: z.array(
    z.object({
      cluster: z.string(),
      rule: z.string(),
      state: z.string(),
      code: z.string(),
      count: z.number().int(),
    }),
  ),
  unsettled: z
    .array(UnsettledClaim)
    .describe('What is under way and could not be brought to its end, the oldest first.'),
  unanswered: z
    .array(UnansweredRequest)
    .describe(
      'Undos and give-ups that people asked for and this executor does not carry out, because the author of the recorded action is not proven; the oldest first.',
    ),
  partitions: z.array(FollowedPartition),
  proposals: z.array(z.object({ cluster: z.string(), rule: z.string(), count: z.number().int() })),
});
export type ExecutorStatus = z.infer<typeof ExecutorStatus>;
