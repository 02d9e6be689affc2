import { request as overHttp } from 'node:http';
import { request as overHttps, type RequestOptions } from 'node:https';

/** An HTTP answer that was not a success. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Sends one JSON request and gives the parsed answer. Throws `HttpError` for any status from 400
 * on.
 */
export function requestJson(
  url: string,
  method: string,
  options: RequestOptions,
  body?: unknown,
): Promise<unknown> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    ...options.headers,
  }; // Node gives a DELETE no length by itself
  const send = url.startsWith('https:') ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, { timeout: 30_000, ...options, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const status = response.statusCode ?? 0;
        if (status >= 400)
          reject(
            new HttpError(
              status,
              `${method} ${url} answered ${status}: ${text.trim().slice(0, 1000)}`,
            ),
          );
        else resolve(parse(text));
      });
    });
    request.on('timeout', () =>
      request.destroy(new Error(`${method} ${url} did not answer in time`)),
    );
    request.on('error', reject);
    request.end(payload);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // /readyz and its like answer in plain words
  }
}
