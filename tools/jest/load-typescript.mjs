/**
 * A hook for import(): TypeScript is a CommonJS module, which `require.extensions` loads
 * (https://nodejs.org/api/module.html#loadurl-context-nextload).
 */
export const load = (url, context, nextLoad) =>
  new URL(url).pathname.endsWith('.ts')
    ? { format: 'commonjs', source: null, shortCircuit: true }
    : nextLoad(url, context);
