/**
 * What stands below `rules:` of the named ClusterRole or Role in a manifest, with its comments.
 * @throws Error when there is none.
 */
export function rulesIn(manifest: string, role: string): string {
  const found = manifest
    .split(/^---$/m)
    .find(
      (document) =>
        /^kind: (?:Cluster)?Role$/m.test(document) &&
        new RegExp(`^metadata:\\n {2}name: ${role}$`, 'm').test(document),
    );
  const [, rules] = found?.split(/^rules:\n/m) ?? [];
  if (rules === undefined) throw new Error(`no role ${role} in the manifest`);
  return rules.replace(/^ {2}/gm, '');
}
