/**
 * OpenSSL's and Node's names of a certificate that is not accepted (Node's tls documentation,
 * "X509 certificate error codes").
 */
const CERTIFICATE =
  /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|CRL_|ERR_TLS_CERT|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/;
/**
 * The same of a handshake that failed: the other side speaks no TLS, none that we speak, or refused
 * ours.
 */
const HANDSHAKE = /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/;

/**
 * Which part of TLS the code of an error of Node is about: a certificate that we do not accept, or
 * a handshake that failed otherwise; undefined for any other.
 */
export function tlsTrouble(code: string): 'certificate' | 'handshake' | undefined {
  if (CERTIFICATE.test(code)) return 'certificate';
  return HANDSHAKE.test(code) ? 'handshake' : undefined;
}
