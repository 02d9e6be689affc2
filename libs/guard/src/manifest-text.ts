import { stringify } from 'yaml';
import { policyManifest } from './install';
import { isAsDeclared, type PolicyState } from './policy-state';

/**
 * What installing a policy would write, as YAML that kubectl would take as well; empty when that is
 * nothing.
 */
export function manifestText(state: PolicyState): string {
  if (state.is === 'not-served') return '';
  return state.parts
    .filter((it) => !isAsDeclared(it))
    .map((it) => `---\n${stringify(policyManifest(it, state.apiVersion), { lineWidth: 0 })}`)
    .join('');
}
