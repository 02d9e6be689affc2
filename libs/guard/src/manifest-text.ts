import { stringify } from 'yaml';
import { policyManifest } from './install';
import { isAsDeclared, type PolicyState } from './standing';

/**
 * What installing a policy would write, as YAML that kubectl would take as well; empty when that is
 * nothing.
 */
export function manifestText(standing: PolicyState): string {
  if (standing.is === 'not-served') return '';
  return standing.parts
    .filter((it) => !isAsDeclared(it))
    .map((it) => `---\n${stringify(policyManifest(it, standing.apiVersion), { lineWidth: 0 })}`)
    .join('');
}
