#!/usr/bin/env node
// Writes deploy/install.yaml: what the chart makes with its defaults, for who has no Helm. With
// `--print` it only prints it. Helm is that of the test bed, which is built when it is not there. A
// test fails where the file is not what the chart makes.
const { execFileSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./lib/root.cjs');
require('./lib/typescript.cjs');

const { provisionHelm } = require('./testbed/src/provision/helm.ts');

const HEAD = `# ovn-steward, embedded, which removes nothing: what deploy/helm/ovn-steward makes with its defaults. Written by \`npm run install-manifest\`; do not
# edit. It takes Kube-OVN to run in kube-system and OVN to speak no TLS, since it asks no cluster; docs/deploy.md says more.
#
#   kubectl apply -f deploy/install.yaml
apiVersion: v1
kind: Namespace
metadata:
  name: ovn-steward
  labels:
    pod-security.kubernetes.io/enforce: restricted
`;

/** Labels that say it came by Helm. */
const OF_HELM = /^ *(?:helm\.sh\/chart: .*|app\.kubernetes\.io\/managed-by: Helm)\n/gm;

async function manifest() {
  const helm = await provisionHelm((text) => console.error(text));
  const rendered = execFileSync(
    helm,
    [
      'template',
      'ovn-steward',
      join(ROOT, 'deploy/helm/ovn-steward'),
      '--namespace',
      'ovn-steward',
      '--kube-version',
      '1.34.0',
      '--no-hooks',
    ],
    { encoding: 'utf8' },
  );
  return `${HEAD}${rendered.replace(OF_HELM, '').replace(/^# Source: .*\n/gm, '')}`;
}

manifest()
  .then((text) => {
    if (process.argv.includes('--print')) return process.stdout.write(text);
    writeFileSync(join(ROOT, 'deploy/install.yaml'), text);
    console.log('Written: deploy/install.yaml');
  })
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
