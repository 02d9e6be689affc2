/** RFC 6750, 2.1: `b64token`. No longer than what a server takes as a header. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]{1,16000}=*)$/i;

/**
 * The token of a header `Authorization`; undefined where there is none. Cookies and queries prove
 * no identity: a page elsewhere can make a browser send them.
 */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.[1];
