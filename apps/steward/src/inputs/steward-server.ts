import { readFileSync } from 'node:fs';
import { StandingDecisions } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { Control } from '@ovn-steward/contracts/control/control';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { safeText } from '@ovn-steward/shared/safe-text';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { ownToken } from '@ovn-steward/systems/access/own-token';
import { z } from 'zod';
import { type Answered, type HttpClient, httpClient } from './http-client';

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
  /** Has the server decide these, in their order, under the identity that it knows us by. */
  decide(controls: readonly Control[]): Promise<'server'>;
  /** Which executors read what was decided here as `id`. */
  heard(id: string): Promise<HeardOverHttp>;
  /** What is held, suppressed or protected there. */
  standing(): Promise<StandingDecisions>;
  /** The findings it knows: all where it judges, too, else the confirmed ones with a remedy. */
  findings(): Promise<readonly Finding[]>;
  /** Whether it judges, so that `findings` has all of them; an executor on Kafka knows only what it may act on. */
  judges(): Promise<boolean>;
  /** What was decided and done; what would undo it is only with what was given up, whose fate it decides. */
  actions(): Promise<readonly ActionRecord[]>;
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

/** @throws Failure `config-invalid`, `input-not-found`; later `source-unreachable`, `access-unauthenticated`, `access-forbidden` and what the server refuses. */
export async function openServer(
  url: string,
  { tokenFile, serverCa }: ServerOptions,
  ours: Settings['kubernetes'],
): Promise<StewardServer> {
  const { token, without } = await tokenOf(tokenFile, ours);
  const client = httpClient(url, token, serverCa);
  /** The ids the server gave to what was decided here. */
  const ids = new Map<string, string>();
  return {
    url,
    async cluster() {
      const { cluster } = z
        .object({ cluster: z.string().nullish() })
        .parse(await answer(client, 'GET', '/status'));
      if (cluster) return cluster;
      throw new Failure(
        'config-invalid',
        `${url} acts for no cluster, so no executor there would act on a decision: name an executor with --server.`,
      );
    },
    async decide(controls) {
      if (without !== undefined) throw new Failure('config-invalid', without);
      for (const control of controls) {
        const taken = Control.safeParse(
          await answer(client, 'POST', '/decisions', requestOf(control)),
        );
        if (taken.success) ids.set(control.id, taken.data.id);
      }
      return 'server';
    },
    heard: async (id) =>
      HeardOverHttp.parse(
        await answer(client, 'GET', `/decisions/${encodeURIComponent(ids.get(id) ?? id)}/heard`),
      ),
    standing: async () => StandingDecisions.parse(await answer(client, 'GET', '/decisions')),
    async findings() {
      const standing = await pages<Finding>(client, '/findings', 'findings');
      return standing ?? (await pages<Finding>(client, '/proposals', 'proposals')) ?? [];
    },
    judges: async () => (await client.send('GET', '/findings?limit=1')).status !== 404,
    async actions() {
      const actions: ActionRecord[] = [];
      for (const { undoable, ...action } of (await pages<ListedAction>(
        client,
        '/actions',
        'actions',
      )) ?? [])
        actions.push(
          undoable && action.state === 'failed'
            ? ((await answer(client, 'GET', `/actions/${action.id}`)) as ActionRecord)
            : { ...action, undo: null, proof: [] },
        );
      return actions;
    },
  };
}

/** What of a decision is ours to say. */
function requestOf(control: Control): object {
  const { version: _, id: __, by: ___, at: ____, identity: _____, ...request } = control;
  if (request.type === 'approve') return { ...request, approver: undefined };
  if (request.type === 'withdraw')
    return { ...request, of: request.of.split('/').slice(0, 2).join('/') };
  return request;
}

/** All items of a list; undefined where the server has no such list. */
async function pages<T>(
  client: HttpClient,
  path: string,
  member: string,
): Promise<readonly T[] | undefined> {
  const all: T[] = [];
  for (let after: string | null = null; ;) {
    const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const page: Answered = await client.send('GET', `${path}?limit=1000${query}`);
    if (page.status === 404 && all.length === 0) return undefined;
    const { [member]: items, next } = accepted(client, page) as Record<string, unknown>;
    all.push(...(items as T[]));
    if (typeof next !== 'string') return all;
    after = next;
  }
}

const answer = async (
  client: HttpClient,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> => accepted(client, await client.send(method, path, body));

const CODES = new Map([
  [400, 'config-invalid'],
  [401, 'access-unauthenticated'],
  [403, 'access-forbidden'],
  [404, 'input-not-found'],
] as const);

function accepted({ url }: HttpClient, { status, body }: Answered): unknown {
  if (status >= 200 && status < 300) return body;
  const said = (body as { message?: unknown } | undefined)?.message;
  throw new Failure(
    CODES.get(status as 400) ?? 'source-unreachable',
    `${url} answered with HTTP ${status}: ${typeof said === 'string' ? safeText(said, 500) : 'no reason given'}`,
  );
}

/** The token; `without`: why there is none, in a sentence. A server without a login is read all the same. @throws Failure `input-not-found`. */
async function tokenOf(
  tokenFile: string | undefined,
  { kubeconfig, context }: Settings['kubernetes'],
): Promise<{ readonly token?: string; readonly without?: string }> {
  if (tokenFile !== undefined)
    try {
      return { token: readFileSync(tokenFile, 'utf8').trim() };
    } catch (error) {
      throw new Failure('input-not-found', `--token-file: ${messageOf(error)}`);
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

const BY_CERTIFICATE =
  'Your kubeconfig proves who you are by a certificate, which only the API server can check: give a token with --token-file, such as one of kubectl create token <service account>.';
