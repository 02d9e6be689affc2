import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Caller } from '@ovn-steward/shared/access';
import { Failure } from '@ovn-steward/shared/errors';

/** What a token of OpenID Connect must fulfil; `http.auth.oidc` of the settings. */
export interface OidcOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly userClaim: string;
  readonly groupsClaim: string;
  /** Before the names of users and groups. */
  readonly prefix: string;
}

/** Signatures of one key pair; a shared secret (`HS256`) or none at all proves nothing. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

/** How far clocks may be apart, in seconds. */
const CLOCKS_APART_S = 30;

/**
 * Failures of a token itself, by the codes of jose; everything else means that the keys could not
 * be read.
 */
const OF_THE_TOKEN =
  /^ERR_(?:JW[TSE]_|JOSE_ALG_|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE_MATCHING_KEYS)/;

/**
 * The holder of a token that the issuer signed (OpenID Connect Core 1.0, 3.1.3.7).
 * @param keys the issuer's.
 * @throws Failure `access-unauthenticated`; `source-unreachable` where the keys cannot be read.
 */
export async function readOidcToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, userClaim, groupsClaim, prefix }: OidcOptions,
): Promise<Caller> {
  const claims = await verified(token, keys, { issuer, audience });
  const user = claims[userClaim];
  if (typeof user !== 'string' || user === '')
    throw refused(`it has no text in ${userClaim} (http.auth.oidc.userClaim)`);
  const groups = claims[groupsClaim];
  const named = (name: string): string => prefix + name;
  return {
    user: named(user),
    groups: (Array.isArray(groups) ? groups : [groups])
      .filter((it) => typeof it === 'string')
      .map(named),
    method: 'oidc',
    issuer,
  };
}

async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: Pick<OidcOptions, 'issuer' | 'audience'>,
): Promise<JWTPayload> {
  const { jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCKS_APART_S,
      requiredClaims: ['exp'],
    });
    return payload;
  } catch (error) {
    const code = (error as { code?: unknown } | undefined)?.code;
    if (typeof code === 'string' && OF_THE_TOKEN.test(code)) throw refused(`${code}`);
    throw new Failure(
      'source-unreachable',
      `The keys of ${issuer} cannot be read, so nobody can log in. Check the issuer.`,
      { cause: error },
    );
  }
}

const refused = (why: string): Failure =>
  new Failure('access-unauthenticated', `The token is refused: ${why}. Log in again.`);
