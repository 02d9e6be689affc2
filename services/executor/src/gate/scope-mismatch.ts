import type { Finding } from '@ovn-steward/contracts/findings/finding';

/**
 * Whether holds and ceilings were checked for the place where a thing really lies: a finding that
 * names another place passed them as something else. One that names none was subject to every hold
 * that may cover it.
 *
 * @param proven where the living systems say it lies; null where they do not say.
 * @returns what differs, as a sentence; undefined when nothing does.
 */
export function scopeMismatch(
  reported: Finding['scope'],
  proven: { readonly vpc: string | null; readonly subnet: string | null },
): string | undefined {
  for (const [word, key] of [
    ['subnet', 'subnet'],
    ['VPC', 'vpc'],
  ] as const) {
    const name = reported?.[key];
    if (name === undefined || name === proven[key]) continue;
    return `its finding says that it lies in ${word} ${name}, and ${proven[key] === null ? 'nothing else says so' : `it lies in ${proven[key]}`}: holds and ceilings were asked for the wrong place`;
  }
  return undefined;
}
