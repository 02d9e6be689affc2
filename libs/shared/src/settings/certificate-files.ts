import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from './settings';

/**
 * The settings that name a file with certificates, and whose it holds: ours, or the authorities we
 * trust.
 */
const CERTIFICATES = [
  { setting: 'ovnNb.certificate', of: 'us', file: (it) => it.ovnNb.certificate },
  { setting: 'ovnNb.caCertificate', of: 'authorities', file: (it) => it.ovnNb.caCertificate },
  { setting: 'ovnSb.certificate', of: 'us', file: (it) => it.ovnSb.certificate },
  { setting: 'ovnSb.caCertificate', of: 'authorities', file: (it) => it.ovnSb.caCertificate },
  { setting: 'kafka.tls.certificate', of: 'us', file: (it) => it.kafka.tls.certificate },
  {
    setting: 'kafka.tls.caCertificate',
    of: 'authorities',
    file: (it) => it.kafka.tls.caCertificate,
  },
  { setting: 'http.tls.certificate', of: 'us', file: (it) => it.http.tls.certificate },
  {
    setting: 'http.auth.oidc.caCertificate',
    of: 'authorities',
    file: (it) => it.http.auth.oidc.caCertificate,
  },
] as const satisfies readonly {
  setting: string;
  of: 'us' | 'authorities';
  file: (settings: CertificateSettings) => string | undefined;
}[];

type CertificateSettings = Pick<Settings, 'ovnNb' | 'ovnSb' | 'kafka' | 'http'>;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * When the certificates end that the settings name, in seconds since 1970, by setting. Of our own
 * the first counts, as the others are its authorities (RFC 8446, 4.4.2); of authorities the one
 * that lasts longest, as an old one stays beside the new while they are changed. What cannot be
 * read is left out: nothing is known of its end.
 */
export function certificateEnds(settings: CertificateSettings): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { setting, of, file } of CERTIFICATES) {
    const path = file(settings);
    const times = path === undefined ? [] : endsIn(path);
    const end = of === 'us' ? times[0] : times.toSorted((a, b) => b - a)[0];
    if (end !== undefined) ends.set(setting, end);
  }
  return ends;
}

function endsIn(path: string): number[] {
  try {
    return [...readFileSync(path, 'latin1').matchAll(PEM)].map(
      ([pem]) => Date.parse(new X509Certificate(pem).validTo) / 1000,
    );
  } catch {
    return [];
  }
}
