/**
 * Runs all until the signal fires. When one of them fails, whatever with, the others are stopped
 * and waited for: none goes on alone in a process that has given up.
 * @param onFailed called with each failure, at once. Must not throw.
 * @throws what failed first.
 */
export async function untilOneFails(
  parts: readonly ((signal: AbortSignal) => Promise<void>)[],
  signal: AbortSignal,
  onFailed: (error: unknown) => void = () => undefined,
): Promise<void> {
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  let first: { readonly error: unknown } | undefined;
  await Promise.all(
    parts.map((part) =>
      part(either).catch((error: unknown) => {
        first ??= { error };
        onFailed(error);
        ending.abort();
      }),
    ),
  );
  if (first !== undefined) throw first.error;
}
