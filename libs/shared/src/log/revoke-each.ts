/**
 * Notifies the caller of each revoked partition, one after the other, also when it throws for one
 * of them: what it keeps open for the others must be closed. Throws the first of its errors.
 */
export async function revokeEach<T>(
  revoked: readonly T[],
  notify: (partition: T) => void | Promise<void> | undefined,
): Promise<void> {
  const errors: unknown[] = [];
  for (const partition of revoked) {
    try {
      await notify(partition);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
