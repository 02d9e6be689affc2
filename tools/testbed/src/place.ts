import { join } from 'node:path';

/** This package's folder; the one place that knows where its files lie. */
export const PACKAGE = join(__dirname, '..');

export const REPOSITORY = join(PACKAGE, '..', '..');
