/** Whether objects and lists are nested more than `levels` deep. Descends no deeper than that. */
export function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((it) => isNestedBeyond(it, levels - 1));
  for (const key in value)
    if (isNestedBeyond((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
