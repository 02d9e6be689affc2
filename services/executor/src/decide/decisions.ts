import { randomUUID } from 'node:crypto';
import type { Authenticated, Control } from '@ovn-steward/contracts/control/control';
import type { Log } from '@ovn-steward/shared/log/log';
import { createLane } from '@ovn-steward/shared/lane';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CONTROL, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { decisionsReader } from '../control/decided-in';
import { type WhoHeard, whoHeard } from '../control/who-heard';
import type { Proposal } from '../findings/proposal';
import type { Ledger } from '../ledger/ledger';
import { type StandingDecisions, standingDecisions } from '../control/standing-decisions';
import type { DecisionRequest } from './decision-request';
import { makeDecision } from './make-decision';

const MAX_RECORDS = 500;

/** Takes down what people decide over HTTP about one cluster. */
export interface Decisions {
  readonly cluster: string;
  /** @returns what was published. @throws Failure as `makeDecision` and publishing do. */
  decide(request: DecisionRequest, authenticated: Authenticated): Promise<Control>;
  /**
   * Who said that it respects the decision of that id, and whether it is what counts of its key.
   * @throws Failure as reading does.
   */
  heard(id: string): Promise<WhoHeard & { readonly counts: boolean }>;
  /** What is in force now. @throws Failure as reading does. */
  standing(): Promise<StandingDecisions>;
}

export interface DecisionsParts {
  readonly settings: Pick<Settings, 'cluster' | 'executor'>;
  /** Reads decisions and says who wrote them. */
  readonly log: Pick<Log, 'read'>;
  readonly ledger: Pick<Ledger, 'get' | 'ofPlan' | 'ofFinding'>;
  readonly proposals: () => readonly Proposal[];
  /** The key that signs what is published; undefined where nothing is signed. */
  readonly keyId: string | undefined;
  /** @throws Failure as appending does. */
  readonly publish: (control: Control) => Promise<void>;
}

export function decisionsOf(parts: DecisionsParts): Decisions {
  const { settings, log, ledger, proposals, keyId, publish } = parts;
  const { cluster } = settings;
  const about = {
    cluster,
    approvers: settings.executor.approvers,
    proposals,
    action: (id: string) => ledger.get(id),
    actionsOfPlan: (id: string) => ledger.ofPlan(id),
    actionsOfFinding: (id: string) => ledger.ofFinding(id),
  };
  const partition = partitionOf(cluster, PARTITIONS);
  const readOn = decisionsReader(
    (from) => log.read(CONTROL, partition, from, MAX_RECORDS),
    cluster,
  );
  const lane = createLane(); // a reader goes on from where it stands
  const read = (): ReturnType<typeof readOn> => lane.run(readOn);
  return {
    cluster,
    async decide(request, authenticated) {
      const control = makeDecision(request, about, {
        id: randomUUID(),
        at: new Date(),
        authenticated,
        approver: keyId ?? authenticated.user,
      });
      await publish(control);
      return control;
    },
    async heard(id) {
      const state = await read();
      const who = whoHeard(state, [id]);
      const counts = [...state.effective.values()].some((it) => it.id === id);
      return { ...who, all: who.all && counts, counts };
    },
    standing: async () => standingDecisions(await read(), cluster, new Date()),
  };
}
