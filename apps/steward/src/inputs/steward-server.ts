import { readFileSync } from 'node:fs';
import { StandingDecisions } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { whyUnreadable } from '@ovn-steward/shared/file-trouble';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { safeText } from '@ovn-steward/shared/safe-text';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { ownToken } from '@ovn-steward/systems/access/own-token';
import { z } from 'zod';
import { httpClient } from './http-client';
import { answer, answerIfServed, pages } from './http-answers';
import { isJudge, type ServerKnowledge, serverKnowledge } from './server-knowledge';

/** Which executor over HTTP, and under which identity it knows us, as the command line says it. */
export interface ServerOptions {
  readonly server?: string;
  readonly serverCa?: string;
  readonly tokenFile?: string;
}

/** An executor that is reached over HTTP. */
export interface StewardServer {
  readonly url: string;
  /** The cluster it acts for. */
  cluster(): Promise<string>;
  /**
   * Has the server decide these, in their order, under the identity that it knows us by.
   * @throws Failure `source-broken` where it does not answer with the id of one.
   */
  decide(controls: readonly Control[]): Promise<'server'>;
  /** Which executors read what was decided here as `id`. */
  heard(id: string): Promise<HeardOverHttp>;
  /** What is held, suppressed or protected there. */
  standing(): Promise<StandingDecisions>;
  /** What it knows of a cluster. */
  knowledge(cluster: string): ServerKnowledge;
  /**
   * Whether it judges, so that it knows all findings; an executor on Kafka knows only what it may
   * act on.
   */
  judges(): Promise<boolean>;
  /**
   * What was decided and done; what would undo it is only with what was given up, whose fate it
   * decides.
   */
  actions(): Promise<readonly ActionRecord[]>;
  /** One action, by its whole id, with its proof and what would undo it. */
  action(id: string): Promise<ActionRecord>;
}

/** An action as a list over HTTP has it. */
type ListedAction = Omit<ActionRecord, 'undo' | 'proof'> & { readonly undoable: boolean };

const HeardOverHttp = z.object({
  all: z.boolean(),
  counts: z.boolean(),
  heard: z.array(z.object({ executor: z.string(), at: z.string() })),
  unheard: z.array(z.object({ executor: z.string(), at: z.string(), replaced: z.boolean() })),
});
type HeardOverHttp = z.infer<typeof HeardOverHttp>;

/** Of a decision that was taken: the id that the server gave to it. */
const TakenDecision = z.object({ id: z.string().min(1) });

/**
 * @throws Failure `config-invalid`, `input-not-found`; later `source-unreachable`,
 *   `access-unauthenticated`, `access-forbidden` and what the server refuses.
 */
export async function openServer(
  url: string,
  { tokenFile, serverCa }: ServerOptions,
  ours: Settings['kubernetes'],
): Promise<StewardServer> {
  const { token, without } = await tokenOf(tokenFile, ours);
  const client = httpClient(url, token, serverCa);
  /** The ids the server gave to what was decided here. */
  const ids = new Map<string, string>();
  const action = async (id: string): Promise<ActionRecord> =>
    (await answer(client, 'GET', `/actions/${encodeURIComponent(id)}`)) as ActionRecord;
  return {
    url,
    cluster: async () =>
      clusterIn(StatusOfCluster.parse(await answer(client, 'GET', '/status')), url),
    async decide(controls) {
      if (without !== undefined) throw new Failure('config-invalid', without);
      for (const control of controls) {
        const taken = TakenDecision.safeParse(
          await answer(client, 'POST', '/decisions', requestOf(control)),
        );
        if (!taken.success)
          throw new Failure(
            'source-broken',
            `${url} took a decision (${control.type}) and did not answer with its id, as an executor does: check that --server leads to one. It may have been decided: see steward holds, steward suppressions and steward actions there.`,
          );
        ids.set(control.id, taken.data.id);
      }
      return 'server';
    },
    heard: async (id) =>
      HeardOverHttp.parse(
        await answer(client, 'GET', `/decisions/${encodeURIComponent(ids.get(id) ?? id)}/heard`),
      ),
    async standing() {
      const standing = await answerIfServed(client, '/decisions');
      if (standing === undefined) throw knowsNo('decisions', url);
      return StandingDecisions.parse(standing);
    },
    judges: () => isJudge(client),
    knowledge: (cluster) => serverKnowledge(client, cluster),
    action,
    async actions() {
      const found = await pages<ListedAction>(client, '/actions', 'actions');
      if (found === undefined) throw knowsNo('actions', url);
      const actions: ActionRecord[] = [];
      for (const { undoable, ...listed } of found)
        actions.push(
          undoable && listed.state === 'failed'
            ? await action(listed.id)
            : { ...listed, undo: null, proof: [] },
        );
      return actions;
    },
  };
}

/** That a server serves no such list says nothing of what was decided or done. */
const knowsNo = (what: 'actions' | 'decisions', url: string): Failure =>
  new Failure(
    'input-not-found',
    `${url} does not serve /${what}, as an analyzer or a collector does not: name an executor or a steward run with --server.`,
  );

const StatusOfCluster = z.object({
  cluster: z.string().nullish(),
  clusters: z.array(z.object({ cluster: z.string() })).optional(),
});

/**
 * The one cluster that a server acts for, or that an analyzer knows.
 * @throws Failure `config-invalid`.
 */
function clusterIn({ cluster, clusters }: z.infer<typeof StatusOfCluster>, url: string): string {
  const names = cluster ? [cluster] : (clusters ?? []).map((it) => it.cluster);
  if (names.length === 1) return names[0]!;
  throw new Failure(
    'config-invalid',
    names.length === 0
      ? `${url} acts for no cluster and knows of none: name an executor, an analyzer or a steward run with --server.`
      : `${url} knows several clusters: give --cluster. There are: ${names.map((it) => safeText(it)).join(', ')}.`,
  );
}

/** What of a decision is ours to say. */
function requestOf(control: Control): object {
  const { version: _, id: __, by: ___, at: ____, identity: _____, ...request } = control;
  if (request.type === 'approve') return { ...request, approver: undefined };
  if (request.type === 'withdraw')
    return { ...request, of: request.of.split('/').slice(0, 2).join('/') };
  return request;
}

/**
 * The token; `without`: why there is none, in a sentence. A server without a login is read all the
 * same.
 * @throws Failure `input-not-found`.
 */
async function tokenOf(
  tokenFile: string | undefined,
  { kubeconfig, context }: Settings['kubernetes'],
): Promise<{ readonly token?: string; readonly without?: string }> {
  if (tokenFile !== undefined)
    try {
      return { token: tokenIn(readFileSync(tokenFile, 'utf8'), tokenFile) };
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(
        'input-not-found',
        `The file of --token-file, ${tokenFile}, cannot be read: ${whyUnreadable(error)}.`,
      );
    }
  try {
    const token = await ownToken(
      kubeAccess({
        ...(kubeconfig !== undefined && { kubeconfig }),
        ...(context !== undefined && { context }),
      }),
    );
    return token === undefined ? { without: BY_CERTIFICATE } : { token };
  } catch (error) {
    if (kubeconfig !== undefined || context !== undefined) throw error;
    return { without: `Your kubeconfig cannot be read: ${messageOf(error)}` };
  }
}

function tokenIn(text: string, file: string): string {
  const token = text.trim();
  if (token !== '') return token;
  throw new Failure(
    'input-not-found',
    `The file of --token-file, ${file}, is empty: kubectl create token <service account> prints a token.`,
  );
}

const BY_CERTIFICATE =
  'Your kubeconfig proves who you are by a certificate, which only the API server can check: give a token with --token-file, such as one of kubectl create token <service account>.';
