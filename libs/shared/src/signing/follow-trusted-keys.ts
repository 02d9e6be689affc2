import { messageOf } from '../errors';
import { readTrustedKeys, type TrustedKeys } from './trusted-keys';

/** How often a folder is read again, at most. */
const EVERY_MS = 10_000;

/**
 * The trusted keys of a folder, read again at most every ten seconds while they are in use: a key
 * added or removed counts without a restart. While the folder cannot be read, those read last go
 * on, and `onTrouble` gets the reason.
 * @throws Failure `config-invalid` at the first call only.
 */
export function followTrustedKeys(
  folder: string,
  onTrouble: (message: string) => void,
  now: () => number = () => performance.now(),
): () => TrustedKeys {
  let keys = readTrustedKeys(folder);
  let readAt = now();
  let reported = '';
  return () => {
    if (now() - readAt < EVERY_MS) return keys;
    readAt = now();
    try {
      keys = readTrustedKeys(folder);
      reported = '';
    } catch (error) {
      const message = `${messageOf(error)}. The keys read before go on.`;
      if (message !== reported) onTrouble((reported = message));
    }
    return keys;
  };
}
