import type { KubeAccess } from '../kubernetes/kube-request';
import { bytesOf, firstBytes, sendRequest, serverOf } from '../kubernetes/kube-request';
import { isRecord } from '../kubernetes/is-record';
import { KubeFailure } from '../kubernetes/kube-failure';

/** A client waits for the answer. */
const LIMITS = { connectMs: 5000, idleMs: 10_000 };
const MOST_BYTES = 1024 * 1024;

/**
 * Has the API server answer a review (`TokenReview`, `SubjectAccessReview`): an object that is
 * sent, answered with its status, and stored nowhere.
 * @returns the status.
 * @throws Failure as `sendRequest` does, `source-broken` for an answer without one.
 */
export async function review(
  access: KubeAccess,
  path: string,
  object: object,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify(object);
  const response = await sendRequest(
    access,
    { method: 'POST', path, body },
    [200, 201],
    LIMITS,
    signal,
  );
  const text = await firstBytes(bytesOf(response, serverOf(access), LIMITS.idleMs), MOST_BYTES);
  const status = statusIn(text);
  if (status === undefined)
    throw new KubeFailure(
      'source-broken',
      `${serverOf(access)} answered POST ${path} with something that is no review. Check that the server address leads to a Kubernetes API server.`,
    );
  return status;
}

function statusIn(text: string): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const status = isRecord(answer) ? answer['status'] : undefined;
    return isRecord(status) ? status : undefined;
  } catch {
    return undefined;
  }
}
