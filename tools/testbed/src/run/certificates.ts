import {
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import {
  bits,
  boolean,
  context,
  der,
  integer,
  octets,
  oid,
  sequence,
  setOf,
  time,
  utf8,
} from './der';

export interface KeyAndCertificate {
  /** PEM, PKCS #8. */
  readonly key: string;
  /** PEM. */
  readonly certificate: string;
}

export interface Authority extends KeyAndCertificate {
  readonly name: string;
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const HOUR = 3_600_000;

/** A certificate authority for one test run, valid for a day (X.509 v3, RFC 5280; P-256). */
export function makeAuthority(name: string): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension('2.5.29.19', true, sequence(boolean(true))), // basicConstraints: a CA
    extension('2.5.29.15', true, bits(Buffer.from([0x06]), 1)), // keyUsage: keyCertSign, cRLSign
  ];
  return {
    name,
    key: pem(privateKey),
    certificate: certificate(name, name, publicKey, privateKey, extensions),
  };
}

/**
 * A key and certificate for a server on 127.0.0.1 / localhost, or for a client, signed by the
 * authority.
 */
export function issueCertificate(authority: Authority, name: string): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const loopback = der(0x87, Buffer.from([127, 0, 0, 1]));
  const extensions = [
    extension('2.5.29.15', true, bits(Buffer.from([0x80]), 7)), // keyUsage: digitalSignature
    extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2'))), // server and client
    extension('2.5.29.17', false, sequence(der(0x82, Buffer.from('localhost')), loopback)), // subjectAltName
  ];
  const text = certificate(
    authority.name,
    name,
    publicKey,
    createPrivateKey(authority.key),
    extensions,
  );
  return { key: pem(privateKey), certificate: text };
}

function certificate(
  issuer: string,
  subject: string,
  publicKey: KeyObject,
  signer: KeyObject,
  extensions: readonly Buffer[],
): string {
  const now = Date.now();
  const serial = randomBytes(8);
  serial[0] = (serial[0] ?? 0) | 0x40; // no leading zeros, which DER forbids
  const body = sequence(
    context(0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_WITH_SHA256,
    commonName(issuer),
    sequence(time(new Date(now - HOUR)), time(new Date(now + 24 * HOUR))),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(...extensions)),
  );
  const whole = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, signer)));
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const commonName = (name: string): Buffer => sequence(setOf(sequence(oid('2.5.4.3'), utf8(name))));

const extension = (id: string, critical: boolean, value: Buffer): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
