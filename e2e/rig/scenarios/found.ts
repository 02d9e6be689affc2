import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';

/** What would be removed, or hangs. */
export const found = async (shell: Shell): Promise<readonly Finding[]> =>
  (await audited(shell)).findings.filter((it) => ['garbage', 'leak', 'stuck'].includes(it.class));

export const saying = ({ rule, subject }: Finding): string => `${rule} ${subject.name}`;

/** What is found is exactly this. */
export function expected(
  after: string,
  is: readonly Finding[],
  wanted: readonly string[],
): string[] {
  const lines = is.map(saying);
  return [
    ...wanted.filter((it) => !lines.includes(it)).map((it) => `not found: ${it}, ${after}`),
    ...lines.filter((it) => !wanted.includes(it)).map((it) => `accused: ${it}, ${after}`),
  ];
}
