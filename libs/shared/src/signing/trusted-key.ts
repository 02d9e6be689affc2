import { createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { keyIdOf } from './key-id';
import { Role, type Signer } from '../log/signer';

/** A moment in RFC 3339, with its time zone. */
const Moment = z.iso.datetime({ offset: true });

/**
 * A file that makes a signer trusted: the public half of a key, and what it may sign. `notBefore`
 * and `notAfter` bound the times at which it may have signed. Nothing in it is secret.
 */
export const TrustedKeyFile = z.strictObject({
  version: z.literal(1),
  /** Follows from the public key; given so that people can find it. */
  id: z.string(),
  role: Role,
  /** Whose it is; an approver's stands in everything it allows. */
  name: z.string().min(1).max(200),
  /** PEM, SubjectPublicKeyInfo. */
  publicKey: z.string(),
  notBefore: Moment.optional(),
  notAfter: Moment.optional(),
  clusters: z.array(z.string().min(1)).optional(),
  decisions: z.array(z.string().min(1)).optional(),
});
export type TrustedKeyFile = z.infer<typeof TrustedKeyFile>;

/** A key whose signatures count. */
export interface TrustedKey {
  readonly signer: Signer;
  readonly publicKey: KeyObject;
  /** ms since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Reads the content of such a file; what is wrong with it, where it is none. */
export function trustedKeyOf(text: string): TrustedKey | { readonly wrong: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { wrong: 'it is not JSON' };
  }
  const { success, data, error } = TrustedKeyFile.safeParse(json);
  if (!success) {
    const [issue] = error.issues;
    return { wrong: [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ') };
  }
  let publicKey: KeyObject;
  try {
    publicKey = createPublicKey(data.publicKey);
  } catch {
    return { wrong: 'publicKey is no public key in PEM' };
  }
  // createPublicKey takes a private key, too, and gives its public half: such a file is shown to
  // many.
  if (data.publicKey.includes('PRIVATE'))
    return { wrong: 'publicKey holds a private key: it is no secret any more, make another' };
  if (publicKey.asymmetricKeyType !== 'ed25519')
    return { wrong: `publicKey is of type ${String(publicKey.asymmetricKeyType)}, not Ed25519` };
  const keyId = keyIdOf(publicKey);
  if (keyId !== data.id)
    return { wrong: `its id is ${data.id}, and that of its public key ${keyId}` };
  return {
    signer: {
      keyId,
      role: data.role,
      name: data.name,
      clusters: data.clusters,
      decisions: data.decisions,
    },
    publicKey,
    notBefore: data.notBefore === undefined ? -Infinity : Date.parse(data.notBefore),
    notAfter: data.notAfter === undefined ? Infinity : Date.parse(data.notAfter),
  };
}
