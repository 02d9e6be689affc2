import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { whyUnreadable } from '@ovn-steward/shared/file-trouble';

/** An answer, whatever its status. `body`: JSON as it was parsed, else undefined. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export interface HttpClient {
  readonly url: string;
  /** @throws Failure `source-unreachable`, `source-certificate`. */
  send(method: 'GET' | 'POST', path: string, body?: object): Promise<Answered>;
}

const SILENT_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * A client that proves its identity by a token, if it has one, which therefore never goes over a
 * connection that others can read.
 * @param caFile the authority of the server's certificate, PEM; without, those that Node trusts.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function httpClient(
  text: string,
  token: string | undefined,
  caFile: string | undefined,
): HttpClient {
  const base = baseOf(text);
  const ca = caFile === undefined ? undefined : fileText(caFile);
  return {
    url: text,
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const content = body === undefined ? undefined : JSON.stringify(body);
        const { request } = base.protocol === 'https:' ? https : http;
        const sent = request(
          new URL(base.pathname.replace(/\/$/, '') + path, base),
          {
            method,
            ...(ca !== undefined && { ca }),
            timeout: SILENT_MS,
            headers: {
              accept: 'application/json',
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
              ...(content !== undefined && { 'content-type': 'application/json' }),
            },
          },
          (response) => {
            bodyOf(response).then(
              (read) => resolve({ status: response.statusCode ?? 0, body: read }),
              (error: unknown) => reject(unreachable(method, text, error)),
            );
          },
        );
        sent.on('timeout', () => sent.destroy(new Error(`silent for ${SILENT_MS / 1000} s`)));
        sent.on('error', (error) => reject(unreachable(method, text, error)));
        sent.end(content);
      }),
  };
}

function baseOf(text: string): URL {
  const base = URL.canParse(text) ? new URL(text) : undefined;
  if (base === undefined || !['http:', 'https:'].includes(base.protocol))
    throw new Failure('config-invalid', `--server ${text} is no address: write https://host:port`);
  if (base.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(base.hostname))
    throw new Failure(
      'config-invalid',
      `--server ${text} would send your token in clear text: use https, or kubectl port-forward and http://127.0.0.1`,
    );
  return base;
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(
      'input-not-found',
      `The file of --server-ca, ${file}, cannot be read: ${whyUnreadable(error)}.`,
    );
  }
}

async function bodyOf(response: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MOST_BYTES) throw new Error('its answer is too long');
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Only what was sent to be decided may have been taken although no answer came. */
const unreachable = (method: 'GET' | 'POST', url: string, error: unknown): Failure =>
  new Failure(
    'source-unreachable',
    `${url} cannot be reached (${messageOf(error)}): ${adviceFor(url, error)}, and that the server runs.${
      method === 'GET'
        ? ''
        : ' It may have accepted the request all the same: sending it again does no harm.'
    }`,
    { cause: error },
  );

/** A server of TLS hangs up on what speaks plain HTTP to it. */
const adviceFor = (url: string, error: unknown): string =>
  url.startsWith('http:') && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
    ? 'write https:// if the server speaks TLS, and check the address'
    : 'check the address, --server-ca';
