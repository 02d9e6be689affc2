/** An operating system's error code, such as ENOENT; undefined where there is none. */
export const systemCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/**
 * The message of an error. It checks no class: Node's own errors come from another realm under some
 * test runners.
 */
export const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
