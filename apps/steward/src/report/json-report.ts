/**
 * A document as JSON, piece by piece: lists of its first level element by element, so that no text
 * is as long as the world.
 */
export function* jsonPieces(document: object): Generator<string> {
  let before = '{\n';
  for (const [key, value] of Object.entries(document) as [string, unknown][]) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}: `;
    before = ',\n';
    if (Array.isArray(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield before === '{\n' ? '{}\n' : '\n}\n';
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  if (list.length === 0) return yield '[]';
  for (const [at, it] of list.entries()) yield `${at === 0 ? '[\n' : ',\n'}${JSON.stringify(it)}`;
  yield '\n]';
}
