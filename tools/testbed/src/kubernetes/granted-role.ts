import { readFileSync } from 'node:fs';
import { waitFor } from '../run/wait';
import type { KubernetesObject } from './objects';
import type { KubernetesServer } from './server';

interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** One verb of a role on one resource, or on one path. */
export interface Right {
  /** `<verb> <resource or path>` */
  readonly name: string;
  readonly verb: string;
  readonly group: string;
  /** A resource; a path, where it begins with a slash. */
  readonly on: string;
  /** The only object that it is for. */
  readonly object?: string;
}

interface Audited {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource: string };
  readonly responseStatus?: { readonly code: number };
}

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/** A ClusterRole on a server, whose rights are taken away one by one. */
export class GrantedRole {
  readonly rights: readonly Right[];
  readonly #server: KubernetesServer;
  readonly #name: string;
  readonly #rules: readonly PolicyRule[];
  readonly #user: string;

  /**
   * @param objects a manifest that was applied to the server, with one ClusterRole of that name.
   * @param user who has the role, as RBAC calls it.
   */
  constructor(
    server: KubernetesServer,
    objects: readonly KubernetesObject[],
    name: string,
    user: string,
  ) {
    this.#server = server;
    this.#name = name;
    this.#user = user;
    this.#rules = rulesOf(objects, name);
    this.rights = rightsOf(this.#rules);
  }

  /** Returns once the user does not have it. */
  async revoke(right: Right): Promise<void> {
    await this.#grant(without(this.#rules, right), right, false);
  }

  /** Returns once the user has it again. */
  async restore(right: Right): Promise<void> {
    await this.#grant(this.#rules, right, true);
  }

  /**
   * The names of the rights that no request of the user has used so far.
   * @throws where the server keeps no log of requests.
   */
  unused(): string[] {
    const used = new Set(
      readFileSync(this.#server.auditLog!, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Audited)
        .filter((it) => it.user.username === this.#user && it.responseStatus?.code !== 403)
        .map(({ verb, objectRef, requestURI }) => `${verb} ${objectRef?.resource ?? requestURI}`),
    );
    return this.rights.map((it) => it.name).filter((it) => !used.has(it));
  }

  async #grant(rules: readonly PolicyRule[], right: Right, allowed: boolean): Promise<void> {
    const { api } = this.#server;
    const role = (await api.get(`${ROLES}/${this.#name}`)) as object;
    await api.send('PUT', `${ROLES}/${this.#name}`, { ...role, rules });
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: this.#user, ...attributesOf(right) },
    };
    await waitFor(
      async () => {
        const { status } = (await api.send('POST', REVIEWS, review)) as {
          status: { allowed: boolean };
        };
        return status.allowed === allowed;
      },
      { what: `${right.name} to be ${allowed ? 'allowed' : 'forbidden'}`, timeoutMs: 20_000 },
    );
  }
}

/** The rules of the role of that name. */
const rulesOf = (objects: readonly KubernetesObject[], name: string): readonly PolicyRule[] =>
  (
    objects.find((it) => it.kind === 'ClusterRole' && it.metadata.name === name) as unknown as {
      readonly rules: readonly PolicyRule[];
    }
  ).rules;

/** The rights of a ClusterRole in a manifest; for tests that name them before a server is there. */
export const rightsIn = (objects: readonly KubernetesObject[], name: string): readonly Right[] =>
  rightsOf(rulesOf(objects, name));

const rightsOf = (rules: readonly PolicyRule[]): readonly Right[] =>
  rules.flatMap(({ apiGroups: [group = ''] = [], resourceNames: [object] = [], verbs, ...rule }) =>
    [...(rule.resources ?? []), ...(rule.nonResourceURLs ?? [])].flatMap((on) =>
      verbs.map((verb) => ({
        name: `${verb} ${on}`,
        verb,
        group,
        on,
        ...(object !== undefined && { object }),
      })),
    ),
  );

const isOn = (rule: PolicyRule, { group, on }: Right): boolean =>
  on.startsWith('/')
    ? rule.nonResourceURLs?.includes(on) === true
    : rule.apiGroups?.[0] === group && rule.resources?.includes(on) === true;

/** The other resources of its rule keep the verb. */
const without = (rules: readonly PolicyRule[], right: Right): PolicyRule[] =>
  rules.flatMap((rule) => {
    if (!isOn(rule, right)) return [rule];
    const field = right.on.startsWith('/') ? 'nonResourceURLs' : 'resources';
    const others = rule[field]!.filter((it) => it !== right.on);
    const verbs = rule.verbs.filter((it) => it !== right.verb);
    return [
      ...(others.length > 0 ? [{ ...rule, [field]: others }] : []),
      ...(verbs.length > 0 ? [{ ...rule, [field]: [right.on], verbs }] : []),
    ];
  });

const attributesOf = ({ on, verb, group, object }: Right): object =>
  on.startsWith('/')
    ? { nonResourceAttributes: { path: on, verb } }
    : {
        resourceAttributes: {
          group,
          resource: on,
          verb,
          ...(object !== undefined && { name: object }),
        },
      };
