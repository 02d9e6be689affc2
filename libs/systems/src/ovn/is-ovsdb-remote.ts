/**
 * Whether the text names servers of a database (`tcp:`, `ssl:` or `unix:`, ovsdb(7)) rather than a
 * file.
 */
export const isOvsdbRemote = (where: string): boolean => /^(?:tcp|ssl|unix):/.test(where);
