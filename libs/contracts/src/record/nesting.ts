/** Whether objects and lists lie in each other more than `levels` deep. Looks no deeper than that. */
export function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((it) => isNestedBeyond(it, levels - 1));
  for (const key in value)
    if (isNestedBeyond((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
