/**
 * The virtual resource of Kubernetes that rights over HTTP are granted on: nothing of the kind is
 * stored there.
 */
export const ACCESS_RESOURCE = { group: 'ovn-steward.dev', resource: 'clusters' } as const;

/** The verb whose right lets an account read. */
export const READ_VERB = 'get';

/** The verbs whose rights let an account decide: the types of the decisions. */
export const DECISION_VERBS = [
  'hold',
  'resume',
  'approve',
  'withdraw',
  'undo',
  'suppress',
  'unsuppress',
  'protect',
  'unprotect',
  'give-up',
] as const;
export type DecisionVerb = (typeof DECISION_VERBS)[number];
export type AccessVerb = typeof READ_VERB | DecisionVerb;

/** The sender of a request over HTTP, as was proven. */
export interface Caller {
  /** The name that rights are granted to. */
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What the authenticator says besides, as `SubjectAccessReview` takes it. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** By what: `kubernetes` (TokenReview) or `oidc`. */
  readonly method: string;
  /** Of `oidc`: who issued the token. */
  readonly issuer?: string;
}

/** Who may do what over HTTP. Whatever is not known is refused. */
export interface Access {
  /**
   * @throws Failure `access-unauthenticated` for a token that proves no identity; others when that
   *   cannot be found out.
   */
  authenticate(token: string, signal: AbortSignal): Promise<Caller>;
  /**
   * @param cluster undefined: every cluster, named or not.
   * @throws Failure `access-forbidden`, which names the right that is missing; others when that
   *   cannot be found out.
   */
  authorize(
    caller: Caller,
    verb: AccessVerb,
    cluster: string | undefined,
    signal: AbortSignal,
  ): Promise<void>;
}
