#!/usr/bin/env node
// Brings node_modules in step with package-lock.json: `npm ci`, but only where something differs.
const { ensureInstalled } = require('./lib/install.cjs');
const { requireNode } = require('./lib/require-node.cjs');

requireNode();
ensureInstalled();
