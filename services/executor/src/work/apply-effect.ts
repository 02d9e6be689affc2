import { Failure } from '@ovn-steward/shared/errors';
import type { Effect } from '@ovn-steward/systems/effect';
import type { RefusedWrite } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { RefusedTransaction } from '@ovn-steward/systems/northbound/northbound';
import { refusalText } from '@ovn-steward/systems/northbound/refusal-text';
import type { Systems } from '@ovn-steward/systems/systems';

/**
 * Nothing was changed. `changed`: what it was bound to has moved. `blocked`: not now. `forbidden`:
 * we may not. `refused`: the system will not have it.
 */
export interface NotApplied {
  readonly is: 'refused';
  readonly code: 'changed' | 'blocked' | 'forbidden' | 'refused';
  readonly reason: string;
}

/**
 * Sends one effect, once. Repeating it is harmless: its guards refuse any state but the one it was
 * prepared for.
 * @throws Failure `outcome-unknown` when it may have been carried out or not: read the target. Any
 * other Failure means that nothing was changed.
 */
export async function applyEffect(
  effect: Effect,
  { northbound, kubernetes }: Systems,
  signal: AbortSignal,
): Promise<{ readonly is: 'applied' } | NotApplied> {
  if (effect.on === 'ovn-nb') {
    const written = await northbound.write(effect.operations, signal);
    return written.is === 'committed' ? { is: 'applied' } : refusedTransaction(written);
  }
  switch (effect.verb) {
    case 'delete':
      return applied(await kubernetes.delete(effect.object, signal));
    case 'evict':
      return applied(await kubernetes.evict(effect.object, signal));
    case 'patch':
      return applied(await kubernetes.patch(effect.object, effect.patch, signal));
    case 'create':
      return applied(await kubernetes.create(effect.kind, effect.manifest, signal));
  }
}

/** `timed out` is the word of a `wait` that did not hold (RFC 7047 section 5.2.6). */
function refusedTransaction(refused: RefusedTransaction): NotApplied {
  const { error, at } = refused;
  if (error === 'not owner')
    throw new Failure(
      'fenced',
      'Another executor has taken over this Northbound: nothing was changed. End one of them.',
    );
  if (error === 'timed out')
    return {
      is: 'refused',
      code: 'changed',
      reason: `guard ${at} of the transaction no longer held: the row, its holders or what refers to it changed at the last moment`,
    };
  return {
    is: 'refused',
    code: 'refused',
    reason: `the database refused the transaction: ${refusalText(refused)}`,
  };
}

const CODES: Readonly<Record<RefusedWrite['why'], NotApplied['code']>> = {
  conflict: 'changed',
  exists: 'changed',
  blocked: 'blocked',
  forbidden: 'forbidden',
  invalid: 'refused',
};

const applied = (
  answer: { readonly is: 'gone' | 'terminating' | 'patched' | 'created' } | RefusedWrite,
): { readonly is: 'applied' } | NotApplied =>
  answer.is === 'refused'
    ? { is: 'refused', code: CODES[answer.why], reason: answer.message }
    : { is: 'applied' };
