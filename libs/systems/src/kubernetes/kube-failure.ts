import { Failure, type FailureCode } from '@ovn-steward/shared/errors';
import { tlsTrouble } from '@ovn-steward/shared/tls-code';
import { isRecord } from './is-record';

/** A Failure of a request to the API server, with what the server said about when to come back. */
export class KubeFailure extends Failure {
  constructor(
    code: FailureCode,
    message: string,
    /** From `Retry-After`, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: { cause?: unknown },
    /** The HTTP status that was answered, where one was. */
    readonly status?: number,
  ) {
    super(code, message, options);
  }
}

/** A request that was answered with a status that is no success. */
export class StatusFailure extends KubeFailure {
  constructor(
    code: FailureCode,
    /** What was requested and what was answered, as a sentence. */
    readonly answer: string,
    advice: string,
    retryAfterMs: number | undefined,
    status: number,
  ) {
    super(code, `${answer} ${advice}`, retryAfterMs, undefined, status);
  }
}

/**
 * How long to wait after a failure, in milliseconds: no shorter than the server requires, as with
 * 429.
 */
export const waitAtLeast = (ms: number, failure: unknown): number =>
  Math.max(ms, failure instanceof KubeFailure ? (failure.retryAfterMs ?? 0) : 0);

/**
 * The request was on its way when the connection broke or went silent: the server may have had it.
 * All other failures below HTTP came before.
 */
export class UnansweredFailure extends KubeFailure {
  constructor(
    failure: Failure,
    /**
     * The connection was a kept one, used before: the server may have ended it while it lay idle.
     */
    readonly wasKept = false,
  ) {
    super(failure.code, failure.message, undefined, { cause: failure.cause });
  }
}

/**
 * The server sent nothing for the idle time on a connection that is open: a broken line, or a watch
 * of a kind in which nothing happens.
 */
export class SilentFailure extends KubeFailure {
  constructor(server: string, idleMs: number) {
    super(
      'source-unreachable',
      `${server} sent nothing for ${idleMs / 1000} s on an open connection; it is opened again.`,
    );
  }
}

/** The parts of a Kubernetes `Status` we decide by (apimachinery meta/v1 Status). */
interface Status {
  readonly message?: unknown;
  readonly reason?: unknown;
  readonly details?: { readonly causes?: unknown };
}

const CODES: Readonly<Record<number, FailureCode>> = {
  401: 'source-refused',
  403: 'source-forbidden',
  404: 'source-not-served',
  410: 'source-expired',
  429: 'source-unreachable',
};

const NEXT: Partial<Record<FailureCode, string>> = {
  'source-refused':
    'The credentials are not accepted: renew the token or certificate of this kubeconfig user.',
  'source-not-served': 'Install its CustomResourceDefinition if the cluster should have it.',
  'source-expired': 'It is read again.',
  'source-unreachable': 'It is tried again.',
};

/**
 * A cluster restored from a backup counts lower than what we saw: the server then answers 504 with
 * this cause to a position it has not reached (apiserver storage/errors), and only a new list
 * helps.
 */
const isFromTheFuture = (status: Status | undefined): boolean =>
  Array.isArray(status?.details?.causes) &&
  status.details.causes.some(
    (it: unknown) => isRecord(it) && it['reason'] === 'ResourceVersionTooLarge',
  );

/** Which verbs of RBAC a request needs, by its method. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'get, list and watch',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Which right is missing. What lies beside the resources of the API is a `nonResourceURLs`. */
function grantFor(request: string): string {
  const [method = '', path = ''] = request.split(' ');
  return /^\/apis?\//.test(path)
    ? `Grant ${VERBS[method] ?? 'it'} on the resource to this identity.`
    : `Grant ${method.toLowerCase()} on ${path} (nonResourceURLs of a ClusterRole) to this identity.`;
}

/** What Go's servers, and so kube-apiserver, say in plain HTTP on a port of TLS (net/http). */
const SPEAKS_TLS = /HTTP request to an HTTPS server/;

/**
 * What an HTTP status other than 200 means. `request` names the request, `body` is what came with
 * the status.
 */
export function statusFailure(
  request: string,
  code: number,
  body: string,
  retryAfterMs?: number,
): StatusFailure {
  const status = statusOf(body);
  const expired =
    isFromTheFuture(status) || status?.reason === 'Expired' || status?.reason === 'Gone';
  const failure: FailureCode = expired
    ? 'source-expired'
    : (CODES[code] ?? (code >= 500 ? 'source-unreachable' : 'source-broken'));
  const message =
    typeof status?.message === 'string' && status.message
      ? `: ${status.message.slice(0, 400)}`
      : '';
  const next = SPEAKS_TLS.test(body)
    ? 'It speaks TLS: write https:// in place of http:// as the server in the kubeconfig.'
    : failure === 'source-forbidden'
      ? grantFor(request)
      : (NEXT[failure] ?? 'Check that the server address leads to a Kubernetes API server.');
  return new StatusFailure(
    failure,
    `${request} was answered with HTTP ${code}${message}.`,
    next,
    retryAfterMs,
    code,
  );
}

function statusOf(body: string): Status | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return parsed && typeof parsed === 'object' ? parsed : undefined;
  } catch {
    return undefined; // proxies answer in prose; the number is enough
  }
}

/** What a failure below HTTP means, in one sentence. */
export function transportFailure(server: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  const trouble = tlsTrouble(code);
  if (trouble === 'certificate') {
    return new KubeFailure(
      'source-certificate',
      `The certificate of ${server} is not accepted (${code}): give the right certificate authority in the kubeconfig.`,
      undefined,
      { cause: error },
    );
  }
  if (trouble === 'handshake') {
    return new KubeFailure(
      'source-unreachable',
      `No TLS with ${server} (${code}): check that this port speaks TLS, and the client certificate in the kubeconfig if it has one.`,
      undefined,
      { cause: error },
    );
  }
  return new KubeFailure(
    'source-unreachable',
    `${server} does not answer (${code || 'connection failed'}): check the address and that the API server runs.`,
    undefined,
    { cause: error },
  );
}

/**
 * Node gives several addresses' failures in one AggregateError, which has the code of the first.
 */
const codeOf = (error: unknown): string =>
  isRecord(error) && typeof error['code'] === 'string' ? error['code'] : '';
