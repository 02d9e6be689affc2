import type { Log } from '@ovn-steward/shared/log/log';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { signingOf } from '@ovn-steward/shared/signing/signing-of';

/**
 * The log on Kafka, with who is proven to have written each decision. Nothing is signed here, so no
 * private key is read. Where decisions must be signed and no key is trusted, none counts: else
 * every writer to the topic could hide any finding.
 * @param onTrouble called while the folder of trusted keys cannot be read again.
 * @throws Failure `config-invalid`.
 */
export function provenDecisions(
  log: Log,
  { trustedKeys, required }: Settings['signing'],
  onTrouble: (message: string) => void,
): Pick<Log, 'read'> {
  const { trusted } = signingOf({ trustedKeys, required }, onTrouble);
  return signedLog(log, {
    required,
    trusted: trusted ?? (required ? () => new Map() : undefined),
  });
}
