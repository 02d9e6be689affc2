import type { Failure } from '@ovn-steward/shared/errors';
import type { UnavailableReason } from '../../source-kit/source';

/**
 * Why a kind that failed like this cannot be read, whatever time passes; undefined for an
 * interruption.
 */
export function unavailableReason({ code }: Failure): UnavailableReason | undefined {
  switch (code) {
    case 'source-refused':
    case 'source-forbidden':
      return 'forbidden';
    case 'source-not-served':
      return 'not-served';
    case 'source-broken':
    case 'object-malformed':
      return 'broken';
    default:
      return undefined;
  }
}
