import { POLICIES } from '@ovn-steward/guard/policies/registry';
import { type Policy } from '@ovn-steward/guard/policy-kit/policy';
import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';

/** The policies of these ids, or all. @throws Failure `config-invalid` for one there is not. */
export function policiesNamed(ids: readonly string[]): readonly Policy[] {
  const known = POLICIES.map(({ id }) => id);
  for (const id of ids) {
    if (known.includes(id)) continue;
    const meant = nearest(id, known);
    throw new Failure(
      'config-invalid',
      `There is no policy ${JSON.stringify(id.slice(0, 100))}; ${meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`}`,
    );
  }
  return ids.length === 0 ? POLICIES : POLICIES.filter(({ id }) => ids.includes(id));
}
