#!/usr/bin/env node
require('../dist/main.js').main(process.argv).then((code) => { process.exitCode = code; });
