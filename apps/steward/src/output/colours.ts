import pc from 'picocolors';

/**
 * Colours for a terminal only: a pipe or a file gets plain text, also where a build server's
 * environment requests colour.
 */
export const colours = pc.createColors(
  process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
);
