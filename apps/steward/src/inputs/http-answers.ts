import { Failure } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { Answered, HttpClient } from './http-client';

/** All items of a list; undefined where the server has no such list. */
export async function pages<T>(
  client: HttpClient,
  path: string,
  member: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<readonly T[] | undefined> {
  const all: T[] = [];
  for (let after: string | null = null; ;) {
    const query = new URLSearchParams({
      ...filter,
      limit: '1000',
      ...(after !== null && { after }),
    });
    const page: Answered = await client.send('GET', `${path}?${query.toString()}`);
    if (page.status === 404 && all.length === 0) return undefined;
    const { [member]: items, next } = accepted(client, page) as Record<string, unknown>;
    for (const it of items as T[]) all.push(it);
    if (typeof next !== 'string') return all;
    after = next;
  }
}

/** The answer to a request. @throws Failure where it is refused. */
export const answer = async (
  client: HttpClient,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> => accepted(client, await client.send(method, path, body));

/**
 * The answer to a GET; undefined where the server has no such path.
 * @throws Failure where it is refused.
 */
export async function answerIfServed(client: HttpClient, path: string): Promise<unknown> {
  const answered = await client.send('GET', path);
  return answered.status === 404 ? undefined : accepted(client, answered);
}

const CODES = new Map([
  [400, 'config-invalid'],
  [401, 'access-unauthenticated'],
  [403, 'access-forbidden'],
  [404, 'input-not-found'],
] as const);

function accepted({ url }: HttpClient, { status, body }: Answered): unknown {
  if (status >= 200 && status < 300) return body;
  const message = (body as { message?: unknown } | undefined)?.message;
  throw new Failure(
    CODES.get(status as 400) ?? 'source-unreachable',
    `${url} answered with HTTP ${status}: ${typeof message === 'string' ? safeText(message, 500) : 'no reason given'}`,
  );
}
