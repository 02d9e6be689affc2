import { Failure } from './errors';
import { retrying } from './retrying';

const never = new AbortController().signal;
const at = (): { waits: number[]; onRetry: (error: unknown, ms: number) => void } => {
  const waits: number[] = [];
  return { waits, onRetry: (_, ms) => void waits.push(ms) };
};
const failing =
  (times: number, error: unknown = new Error('not yet')) =>
  async (): Promise<string> => {
    if (times-- > 0) throw error;
    return 'done';
  };

describe('retrying', () => {
  it('tries until it succeeds, and says each wait', async () => {
    const { waits, onRetry } = at();
    const backOff = (attempt: number): number => attempt;
    expect(await retrying(failing(3), { onRetry, backOff }, never)).toBe('done');
    expect(waits).toEqual([1, 2, 3]);
  });

  it('counts again after progress', async () => {
    const { waits, onRetry } = at();
    const attempt = failing(3);
    await retrying(
      async (onProgress) => {
        if (waits.length === 2) onProgress();
        return attempt();
      },
      { onRetry, backOff: (nth) => nth },
      never,
    );
    expect(waits).toEqual([1, 2, 1]);
  });

  it('throws what is final at once', async () => {
    const { waits, onRetry } = at();
    const failure = new Failure('config-invalid', 'Correct it.');
    await expect(retrying(failing(1, failure), { onRetry }, never)).rejects.toBe(failure);
    const isFinal = (): boolean => true;
    await expect(retrying(failing(1), { onRetry, isFinal }, never)).rejects.toThrow('not yet');
    expect(waits).toEqual([]);
  });

  it('ends a wait when the signal fires, and begins nothing after it', async () => {
    const stop = new AbortController();
    let attempts = 0;
    const ended = retrying(
      async () => {
        attempts += 1;
        throw new Error('no');
      },
      { onRetry: () => void setImmediate(() => stop.abort()), backOff: () => 3_600_000 },
      stop.signal,
    );
    expect(await ended).toBeUndefined();
    expect(attempts).toBe(1);
  });

  it('ends with what reporting throws', async () => {
    const onRetry = async (): Promise<void> => Promise.reject(new Error('cannot publish'));
    await expect(retrying(failing(1), { onRetry }, never)).rejects.toThrow('cannot publish');
  });
});
