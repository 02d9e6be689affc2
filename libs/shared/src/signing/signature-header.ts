/** The header a signed record has. */
export const SIGNATURE_HEADER = 'steward-signature';

/** What the header says. */
export interface Signature {
  readonly keyId: string;
  /** When it was signed: ms since the epoch. */
  readonly at: number;
  /** 64 bytes (RFC 8032), in base64. */
  readonly signature: string;
}

const FORM =
  /^v=1;alg=ed25519;key=([0-9a-f]{32});at=(0|[1-9][0-9]{0,14});sig=([A-Za-z0-9+/]{86}==)$/;

export const signatureText = ({ keyId, at, signature }: Signature): string =>
  `v=1;alg=ed25519;key=${keyId};at=${at};sig=${signature}`;

/** Reads the header; undefined for one of any other form. */
export function readSignature(text: string): Signature | undefined {
  const [, keyId, at, signature] = FORM.exec(text) ?? [];
  return keyId === undefined || at === undefined || signature === undefined
    ? undefined
    : { keyId, at: Number(at), signature };
}
