/** `1 action`, `2 actions`; `many` where the plural is made otherwise. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
