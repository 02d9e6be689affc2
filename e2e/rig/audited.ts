import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Shell } from '../support/shell';

/** What scenarios read of the answer of `steward audit --output json`. */
export interface Audit {
  readonly findings: readonly Finding[];
  readonly unknowns: readonly { readonly rule: string; readonly reason: string }[];
}

/** Audits the cluster as a person does. @throws SyntaxError where the command prints no answer. */
export const audited = async (shell: Shell): Promise<Audit> =>
  JSON.parse((await shell.run('steward audit --output json')).stdout) as Audit;

/** A finding in a line of a report. */
export const saying = ({ rule, subject }: Finding): string =>
  `${rule}: ${subject.kind} ${subject.name}`;
