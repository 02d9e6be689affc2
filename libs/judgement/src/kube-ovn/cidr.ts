import type { Cidr } from '@ovn-steward/shared/address';
import { formatIp, parseCidr, tryParseIp } from '@ovn-steward/shared/address';
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

/** One spelling of an address or network; a text that is neither stands for itself. */
export function blockText(text: string): string {
  const host = tryParseIp(text);
  if (host) return `${formatIp(host)}/${host.family === 4 ? 32 : 128}`;
  const block = tryParseCidr(text);
  return block
    ? `${formatIp({ family: block.range.family, value: block.range.first })}/${block.prefix}`
    : text;
}
