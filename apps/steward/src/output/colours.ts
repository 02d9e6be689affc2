import pc from 'picocolors';

/**
 * Colours for a terminal only: a pipe or a file gets plain text, also where a build server's
 * environment requests colour; and none where NO_COLOR is set and not empty
 * (https://no-color.org).
 */
export const colours = pc.createColors(process.stdout.isTTY === true && !process.env['NO_COLOR']);
