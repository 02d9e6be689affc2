/** How swc compiles our TypeScript, wherever it runs without a build. */
module.exports = {
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
  target: 'es2022',
};
