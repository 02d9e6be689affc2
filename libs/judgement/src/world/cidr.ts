import type { Cidr } from '@ovn-steward/shared/address';
import { parseCidr } from '@ovn-steward/shared/address';
import { Failure } from '@ovn-steward/shared/errors';

/** The block, or undefined for what is none. */
export function tryParseCidr(text: string): Cidr | undefined {
  try {
    return parseCidr(text);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
