/**
 * A pattern of a .dockerignore file as a regular expression over paths: `*` within a name, `**`
 * across folders.
 */
function expression(pattern: string): RegExp {
  const source = pattern
    .replace(/^\/|\/$/g, '')
    .split('/')
    .map((part) =>
      part === '**'
        ? '**'
        : part
            .replace(/[.+^${}()|[\]\\]/g, '\\$&')
            .replaceAll('*', '[^/]*')
            .replaceAll('?', '[^/]'),
    );
  const joined = source.join('/').replaceAll('**/', '(?:.*/)?').replaceAll('**', '.*');
  return new RegExp(`^${joined}$`);
}

/**
 * Whether a path (relative, `/`) gets into the build: the last pattern that names it, or a folder
 * it is in, decides.
 */
export function contextFilter(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .map((it) => it.trim())
    .filter((it) => it !== '' && !it.startsWith('#'))
    .map((line) =>
      line.startsWith('!')
        ? { takes: true, names: expression(line.slice(1)) }
        : { takes: false, names: expression(line) },
    );
  return (path) => {
    const parts = path.split('/');
    const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return patterns.findLast(({ names }) => places.some((it) => names.test(it)))?.takes ?? true;
  };
}
