import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { JWTVerifyGetKey } from 'jose';
import { Failure } from '@ovn-steward/shared/errors';
import { bytesOf, firstBytes } from '../kubernetes/kube-request';
import { isRecord } from '../kubernetes/is-record';

const MOST_BYTES = 1024 * 1024;
const IDLE_MS = 10_000;
/** Keys are read again after that: an issuer that revokes one wants it to count no more. */
const KEPT_MS = 10 * 60_000;
/** A token that names an unknown key has the keys read again, but not more often than that. */
const PAUSE_MS = 30_000;

type KeySet = (
  header: Parameters<JWTVerifyGetKey>[0],
  token: Parameters<JWTVerifyGetKey>[1],
) => ReturnType<JWTVerifyGetKey>;

/**
 * The keys of an issuer (OpenID Connect Discovery 1.0, 4: `jwks_uri` of its
 * `/.well-known/openid-configuration`), read at the first use.
 * @param caFile the authority of its certificate, PEM.
 */
export function oidcKeys(
  issuer: string,
  caFile: string | undefined,
  now: () => number = () => performance.now(),
): JWTVerifyGetKey {
  let read: { readonly at: number; readonly keys: Promise<KeySet> } | undefined;
  const keys = (maxAge: number): Promise<KeySet> => {
    if (read === undefined || now() - read.at > maxAge) {
      const mine = (read = { at: now(), keys: readKeys(issuer, caFile) });
      mine.keys.catch(() => {
        if (read === mine) read = undefined; // the next one tries again
      });
    }
    return read.keys;
  };
  return async (header, token) => {
    try {
      return await (
        await keys(KEPT_MS)
      )(header, token);
    } catch (error) {
      if ((error as { code?: unknown } | undefined)?.code !== 'ERR_JWKS_NO_MATCHING_KEY')
        throw error;
      return (await keys(PAUSE_MS))(header, token);
    }
  };
}

async function readKeys(issuer: string, caFile: string | undefined): Promise<KeySet> {
  const ca = caFile === undefined ? undefined : readFileSync(caFile, 'utf8');
  const about = await readJsonOf(
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    ca,
  );
  if (about['issuer'] !== issuer) throw broken(issuer, `names itself ${String(about['issuer'])}`);
  const where = about['jwks_uri'];
  if (typeof where !== 'string' || !where.startsWith('https://'))
    throw broken(issuer, 'names no https address of its keys (jwks_uri)');
  const keys = await readJsonOf(where, ca);
  const { createLocalJWKSet } = await import('jose');
  return createLocalJWKSet(keys as unknown as Parameters<typeof createLocalJWKSet>[0]);
}

function readJsonOf(url: string, ca: string | undefined): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { ca, headers: { accept: 'application/json' }, timeout: IDLE_MS },
      (response) => {
        if (response.statusCode !== 200) {
          response.destroy();
          return reject(broken(url, `answers with HTTP ${response.statusCode}`));
        }
        firstBytes(bytesOf(response, url, IDLE_MS), MOST_BYTES)
          .then((text) => {
            const answer: unknown = JSON.parse(text);
            if (isRecord(answer)) resolve(answer);
            else reject(broken(url, 'answers with something else than an object'));
          })
          .catch(reject);
      },
    );
    sent.on('timeout', () => sent.destroy(broken(url, `is silent for ${IDLE_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end();
  });
}

const broken = (what: string, why: string): Failure =>
  new Failure('source-unreachable', `${what} ${why}: check http.auth.oidc.issuer.`);
