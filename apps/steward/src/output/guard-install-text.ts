import { manifestText } from '@ovn-steward/guard/manifest-text';
import { type PolicyState } from '@ovn-steward/guard/policy-state';
import { colours as pc } from './colours';
import { indentedJson } from '@ovn-steward/shared/indented-json';

const WORDS: Readonly<Record<PolicyState['is'], string>> = {
  installed: 'installed as it should be',
  differs: 'installed, but not as it should be; would be made so:',
  absent: 'not installed; would be written:',
  foreign:
    'the name is taken by something that is not ours, which is left alone. Would have been written:',
  'not-served':
    'this API server does not have such policies; where it is about Vpcs, the finalizer alone can hold them (docs/guard.md)',
};

/** Each policy: what it does, how it stands, and what would be written. */
export const installText = (states: readonly PolicyState[]): string =>
  states
    .map(
      (it) =>
        `${pc.bold(it.policy.id)}: ${it.policy.does}\n  ${it.is === 'not-served' ? `needs ${it.policy.needs}: ` : ''}${WORDS[it.is]}\n${manifestText(it)}\n`,
    )
    .join('');

export const installJson = (states: readonly PolicyState[], written: boolean): string =>
  indentedJson({
    policies: states.map((state) => ({
      id: state.policy.id,
      does: state.policy.does,
      needs: state.policy.needs,
      is: state.is,
      manifests: manifestText(state),
    })),
    written,
  });
