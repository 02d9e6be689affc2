/**
 * Whether the environment says that nobody sits before this: what is missing then fails instead of
 * being skipped.
 */
module.exports.underCi = !['', '0', 'false', 'no'].includes((process.env.CI ?? '').toLowerCase());
