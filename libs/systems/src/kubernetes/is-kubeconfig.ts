import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { Failure } from '@ovn-steward/shared/errors';

const HEAD = 64 * 1024;

/**
 * A kubeconfig says `kind: Config` and names clusters; whatever else is given is taken for a dump.
 * @throws Failure `input-not-found`.
 */
export function isKubeconfig(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat)
    throw new Failure(
      'input-not-found',
      `${path} does not exist; --kubernetes takes a dump (file or folder, see docs/recordings.md) or a kubeconfig`,
    );
  if (!stat.isFile()) return false;
  const head = readHead(path);
  return (
    /^\s*(?:"kind"|kind)\s*:\s*"?Config"?\s*,?\s*$/m.test(head) ||
    (/"kind"\s*:\s*"Config"/.test(head) && /"clusters"\s*:/.test(head))
  );
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, HEAD, 0));
  } finally {
    closeSync(file);
  }
}
