/**
 * Whether what is installed is what the lockfile asks for; both are the `packages` of a lockfile.
 * Packages for other platforms, and peers nobody else needs, are rightly absent.
 */
module.exports.inStep = function (wanted, present) {
  const installable = Object.entries(wanted).filter(
    ([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'),
  );
  return installable.every(([path, { version, link, optional, peer }]) => {
    const found = Object.hasOwn(present, path) ? present[path] : undefined;
    if (found === undefined) return Boolean(optional || peer);
    return Boolean(link) || found.version === version;
  });
};
