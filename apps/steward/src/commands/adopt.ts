import { newDecision } from '../inputs/new-decision';
import type { Command } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import { identityText } from '@ovn-steward/shared/cluster-identity';
import type { Control } from '@ovn-steward/contracts/control/control';
import { EXIT } from '../process/exit-codes';
import {
  channelOf,
  type DecisionOptions,
  publishDecisions,
  withDecision,
} from '../inputs/decisions';
import { reportDecisions } from '../output/decision-text';

interface AdoptOptions extends DecisionOptions {
  readonly northbound: string;
  readonly kubernetesUid: string;
  readonly unnamed?: boolean;
  readonly reason: string;
}

/** As an executor says it: which kind, and a UUID. */
const NORTHBOUND = /^(?:cid|nb):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const EXAMPLE = `
An executor whose ledger belongs to other living systems than those that answer does nothing, and prints this command
with the identities it found. Run it once you know why they are others, for example for a cluster that was rebuilt:

  steward adopt --cluster berlin-1 --northbound nb:5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54 \\
    --kubernetes-uid 0f6f7a3e-33c5-4f6b-8a3e-6f6f0c4f2d11 --reason 'rebuilt on Tuesday' --kafka-brokers kafka-1:9092

Only an executor to which these very systems answer acts on it.`;

/** `steward adopt`: a cluster of this name is other living systems now. */
export function adoptCommand(program: Command, done: (code: number) => void): void {
  withDecision(
    program
      .command('adopt')
      .description(
        'declare that the cluster of this name is another pair of live systems now; open actions of the former pair end without effect, and nothing of it is put back any more',
      ),
  )
    .requiredOption(
      '--northbound <identity>',
      'which Northbound: cid:<raft cluster id>, or nb:<uuid of the NB_Global row>',
    )
    .requiredOption('--kubernetes-uid <uid>', 'which Kubernetes: the uid of namespace kube-system')
    .option('--unnamed', 'records of earlier versions, which name no systems, count as of these')
    .requiredOption('--reason <text>', 'why; recorded')
    .addHelpText('after', EXAMPLE)
    .action(async (options: AdoptOptions) => {
      if (!NORTHBOUND.test(options.northbound))
        throw new Failure(
          'config-invalid',
          `${options.northbound} is no identity of a Northbound: it is cid: or nb: and a UUID, as the executor prints it. Nothing was decided.`,
        );
      if (options.kubernetesUid === '')
        throw new Failure(
          'config-invalid',
          'No uid of a Kubernetes was given: kubectl get namespace kube-system -o jsonpath={.metadata.uid} prints it. Nothing was decided.',
        );
      if (options.server !== undefined)
        throw new Failure(
          'config-invalid',
          'No executor takes steward adopt over HTTP: give --state-dir or --kafka-brokers in place of --server. Nothing was decided.',
        );
      const channel = await channelOf(options);
      const control: Control = {
        type: 'adopt',
        ...newDecision(channel),
        to: { northbound: options.northbound, kubernetes: options.kubernetesUid },
        unnamed: options.unnamed === true,
        reason: options.reason,
      };
      const receipt = await publishDecisions(channel, [control]);
      const line = `Cluster ${channel.cluster} is ${identityText(control.to)} from now on, for an executor to which they answer. What is open of other systems ends without any effect.`;
      reportDecisions({ lines: [line], controls: [control], receipt }, channel, options.output);
      done(EXIT.nothingFound);
    });
}
