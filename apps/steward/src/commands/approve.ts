import { newDecision } from '../inputs/new-decision';
import type { Command } from 'commander';
import { commonIdentity } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { readSigningKey } from '@ovn-steward/shared/signing/signing-key';
import { EXIT } from '../process/exit-codes';
import { actionRecords } from '../inputs/action-records';
import {
  type Channel,
  channelOf,
  type DecisionOptions,
  signsInFolder,
  publishDecisions,
  withDecision,
} from '../inputs/decisions';
import { knownFindings } from '../inputs/known-findings';
import { pickById } from '../inputs/pick-by-id';
import { reportDecisions } from '../output/decision-text';

interface ApproveOptions extends DecisionOptions {
  readonly withdraw?: boolean;
}

/** `steward actions` lists what waits for an approval, by the ids of actions. */
const LIST = 'steward findings. For an action, steward actions <id> names its finding';

/**
 * `steward approve`: what was found may be mended, as it is now; when it changes, it is to be
 * approved again.
 */
export function approveCommand(program: Command, done: (code: number) => void): void {
  withDecision(
    program
      .command('approve')
      .argument('<findings...>', 'by their ids, or the beginnings of them')
      .description(
        'allow the executor to act on findings in their current revision; has no effect on rules in mode observe',
      ),
  )
    .option('--withdraw', 'take back what was approved, where nothing was done yet')
    .action(async (ids: readonly string[], options: ApproveOptions) => {
      const channel = await channelOf(options);
      const findings = await knownFindings(channel);
      const chosen = new Map(
        ids.map((id) => pickById(id, findings, 'finding', LIST)).map((it) => [it.id, it]),
      );
      const proposed = options.withdraw ? [] : await actionsAbout(channel, chosen);
      const controls = [...chosen.values()].map((proposal): Control => {
        const approver = approverOf(proposal, channel);
        if (options.withdraw)
          return {
            type: 'withdraw',
            ...newDecision(channel),
            of: ['approve', proposal.id, ...(approver === undefined ? [] : [approver])].join('/'),
          };
        refuseUseless(proposal);
        return {
          type: 'approve',
          ...newDecision(channel),
          ...commonIdentity(proposed.filter(({ finding }) => isOf(finding, proposal))),
          finding: proposal.id,
          revision: proposal.revision,
          ...(approver !== undefined && { approver }),
        };
      });
      const receipt = await publishDecisions(channel, controls);
      const lines = [...chosen.values()].map(
        (it) =>
          `${options.withdraw ? 'No longer approved' : 'Approved'}: ${it.id.slice(0, 10)} ${it.rule}, revision ${it.revision}: ${it.summary}`,
      );
      reportDecisions({ lines, controls, receipt }, channel, options.output);
      done(EXIT.nothingFound);
    });
}

/** Whose word it is, where the rule wants several people: each has their own record. */
function approverOf({ rule }: Finding, { config, by, stateDir }: Channel): string | undefined {
  const { executor, signing } = config;
  if (!Object.hasOwn(executor.approvers, rule)) return undefined;
  const signs = stateDir === undefined || signsInFolder(config);
  return signs && signing.keyFile !== undefined ? readSigningKey(signing.keyFile).id : by;
}

const isOf = (
  { id, revision }: ActionRecord['finding'],
  finding: Pick<Finding, 'id' | 'revision'>,
): boolean => id === finding.id && revision === finding.revision;

/**
 * What an executor decided about these findings as they are now, which says of which living systems
 * they are. Nothing where none was there yet.
 */
async function actionsAbout(
  channel: Channel,
  findings: ReadonlyMap<string, Finding>,
): Promise<readonly ActionRecord[]> {
  const about = ({ finding }: ActionRecord): boolean => {
    const found = findings.get(finding.id);
    return found !== undefined && isOf(finding, found);
  };
  const records = await actionRecords(channel, about).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'input-not-found') return undefined;
    throw error;
  });
  if (records === undefined) return [];
  try {
    await records.catchUp();
    return [...records.all()];
  } finally {
    await records.close();
  }
}

/** @throws Failure `config-invalid` for an approval that nothing could come of. */
function refuseUseless(finding: Finding): void {
  const why = uselessBecause(finding);
  if (why !== undefined)
    throw new Failure(
      'config-invalid',
      `Finding ${finding.id.slice(0, 10)} ${why}. Nothing was approved.`,
    );
}

/** Why nothing could come of an approval, as a clause. */
function uselessBecause({ state, remedy, doubt }: Finding): string | undefined {
  if (state === 'resolved') return 'is resolved: there is nothing left to do';
  if (state === 'suspected')
    return 'is only suspected: approve it when it is confirmed, since it then has another revision';
  if (state === 'suppressed')
    return 'is suppressed: nothing is done about it until that is over (steward unsuppress)';
  if (doubt !== undefined) return `is in doubt: ${doubt}`;
  return remedy === null ? 'has no remedy: a person must decide what to do' : undefined;
}
