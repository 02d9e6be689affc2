import { OvsdbError } from './errors';
import { formatRemote, type Remote } from './remote';

/**
 * How far a connection had come when it failed. `silent`: connected, but not one byte was received.
 */
export type Phase = 'connecting' | 'silent' | 'talking';

/**
 * Alerts by which a TLS server refuses the client's certificate (RFC 8446 section 6.2; OpenSSL's
 * reason strings).
 */
const REFUSED_OURS = [
  /CERTIFICATE_REQUIRED/,
  /ALERT_UNKNOWN_CA/,
  /ALERT_BAD_CERTIFICATE/,
  /ALERT_CERTIFICATE_(EXPIRED|REVOKED|UNKNOWN)/,
  /ALERT_DECRYPT_ERROR/,
  /ALERT_ACCESS_DENIED/,
  /ALERT_HANDSHAKE_FAILURE/,
];

/**
 * OpenSSL's verification results for a server certificate that our CA does not vouch for (Node's
 * `tls` passes them as codes).
 */
const REFUSED_THEIRS =
  /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT|CRL_|ERR_TLS_CERT)/;

/** What Node says the certificate is for (`tls.checkServerIdentity`). */
const whyOf = (cause: Error): string => (cause as { reason?: string }).reason ?? cause.message;

const codeOf = (cause: Error): string => String((cause as NodeJS.ErrnoException).code ?? '');

/**
 * Old TLS versions report the alert only in OpenSSL's text, under the code EPROTO: normalised to
 * the form newer codes have.
 */
const opensslReason = (cause: Error): string =>
  codeOf(cause) === 'EPROTO' ? cause.message.toUpperCase().replaceAll(' ', '_') : codeOf(cause);

function tlsSentence(cause: Error, phase: Phase): string | undefined {
  const reason = opensslReason(cause);
  if (reason.includes('CERTIFICATE_REQUIRED'))
    return 'demands a client certificate and was given none; configure a certificate and key signed by its CA';
  if (REFUSED_OURS.some((alert) => alert.test(reason)))
    return 'does not accept our client certificate, or was given none; configure one that is valid and signed by its CA';
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `shows a certificate of the configured CA that names somebody else (${whyOf(cause)}); say which name it has (serverName), or that any certificate of that CA will do (verifyName: false)`;
  if (REFUSED_THEIRS.test(reason))
    return `shows a certificate that the configured CA does not vouch for (${codeOf(cause)}); configure the CA that signed it`;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(reason))
    return 'does not speak TLS; use a tcp: remote, or the port that serves TLS';
  if (/^ERR_(SSL|OSSL|CRYPTO)_|PROTOCOL_VERSION/.test(reason))
    return `and we cannot agree on TLS (${codeOf(cause)}); check certificate, key and protocol versions`;
  if (phase === 'connecting' && reason === 'ECONNRESET')
    return 'ended the connection during the TLS handshake; it may not speak TLS (use a tcp: remote then), or refuse our certificate';
  return undefined;
}

/**
 * One clear sentence, and a code, for a socket that failed or ended (`cause` undefined). A
 * plain-text client of a TLS port is recognised by the clean end before the first byte:
 * ovsdb-server drops it so, without an alert.
 */
export function socketFailure(remote: Remote, phase: Phase, cause?: Error): OvsdbError {
  const at = formatRemote(remote);
  const options = cause === undefined ? {} : { cause };
  const sentence =
    remote.transport === 'ssl' && cause !== undefined ? tlsSentence(cause, phase) : undefined;
  if (sentence !== undefined)
    return new OvsdbError('certificate', `The server at ${at} ${sentence}.`, options);
  if (remote.transport === 'tcp' && phase === 'silent' && cause === undefined) {
    return new OvsdbError(
      'certificate',
      `The server at ${at} ended the connection before its first answer, as one that expects TLS does; use an ssl: remote if it is one.`,
    );
  }
  const why = cause === undefined ? 'the server ended it' : codeOf(cause) || cause.message;
  return phase === 'connecting'
    ? new OvsdbError(
        'connection',
        `Cannot connect to ${at}: ${why}. Check the address and that the server listens there.`,
        options,
      )
    : new OvsdbError('closed', `The connection to ${at} ended: ${why}.`, options);
}
