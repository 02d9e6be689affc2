import { readFileSync } from 'node:fs';
import { messageOf } from '@ovn-steward/shared/errors';
import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import type { Outcome } from './sender';

/** Longer than this no sink is waited for, whatever it asks. */
const LONGEST_RETRY_MS = 600_000;

/**
 * Sends one body as JSON. URL and token are read again each time, and are in no message. Never
 * throws.
 */
export async function post(
  settings: Pick<SinkSettings, 'url' | 'urlFile' | 'tokenFile' | 'timeout'>,
  path: string,
  {
    id,
    body,
    headers = {},
    signal,
  }: {
    readonly id: string;
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<Outcome> {
  try {
    const answer = await fetch(addressOf(settings, path), {
      method: 'POST',
      redirect: 'error', // the token is for this address alone
      headers: {
        'content-type': 'application/json',
        'idempotency-key': id,
        ...headers,
        ...authorization(settings.tokenFile),
      },
      body: JSON.stringify(body),
      signal: timeLimit(settings.timeout, signal),
    });
    await answer.body?.cancel();
    return answer.ok ? { delivered: true } : refused(answer);
  } catch (error) {
    return { delivered: false, ofSink: true, why: reasonOf(error, settings) };
  }
}

function addressOf({ url, urlFile }: Pick<SinkSettings, 'url' | 'urlFile'>, path: string): string {
  const base = url ?? readFileSync(urlFile!, 'utf8').trim();
  return path === '' ? base : `${base.replace(/\/+$/, '')}${path}`;
}

const authorization = (tokenFile: string | undefined): Record<string, string> =>
  tokenFile === undefined
    ? {}
    : { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };

function refused(answer: Response): Outcome {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return {
    delivered: false,
    ofSink: answer.status >= 500 || answer.status === 429 || answer.status === 408,
    why: `it answered ${answer.status}`,
    ...(seconds > 0 && { retryAfterMs: Math.min(seconds * 1000, LONGEST_RETRY_MS) }),
  };
}

/**
 * Why a connection failed names the host alone. Other messages may quote the URL or the token, and
 * are not passed on.
 */
function reasonOf(
  error: unknown,
  { urlFile, tokenFile }: Pick<SinkSettings, 'urlFile' | 'tokenFile'>,
): string {
  const { cause } = error as { cause?: unknown };
  const { code } = (cause ?? error) as { code?: unknown };
  if (code === 'ENOENT' || code === 'EACCES')
    return `a file of the sink cannot be read (${[urlFile, tokenFile].filter(Boolean).join(', ')})`;
  if (code === 'ERR_INVALID_URL') return `what ${urlFile ?? 'url'} holds is no URL`;
  if (cause !== undefined && typeof code === 'string') return messageOf(cause);
  const { name } = error as Error;
  return name === 'TimeoutError'
    ? 'timeout: it did not answer in time'
    : `the request could not be made (${name}): check its URL and its token`;
}
