import { stringify } from 'yaml';
import { manifestOf } from './install';
import { isAsDeclared, type Standing } from './standing';

/** What installing a policy would write, as YAML that kubectl would take as well; empty when that is nothing. */
export function manifestText(standing: Standing): string {
  if (standing.is === 'not-served') return '';
  return standing.parts
    .filter((it) => !isAsDeclared(it))
    .map((it) => `---\n${stringify(manifestOf(it, standing.apiVersion), { lineWidth: 0 })}`)
    .join('');
}
