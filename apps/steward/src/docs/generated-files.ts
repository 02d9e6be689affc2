import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from '@ovn-steward/contracts/schemas';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { rulesPage } from '@ovn-steward/judgement/rules/reference-page';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { stewardOpenApi } from '../http/run-openapi';
import { EXAMPLES } from '../examples';
import { stewardProgram } from '../program';
import { VERSION } from '../process/version';
import { ACCESS_ROLES } from './access-roles';
import { actionCodesTable } from './action-codes-table';
import { clientTypes } from './client-types';
import { chartFiles } from './chart/chart-files';
import { commonValuesTable } from './chart/common-values';
import { DASHBOARDS } from './dashboards/registry';
import { dashboardJson } from './grafana/dashboard-json';
import { dashboardsTable } from './grafana/dashboards-table';
import { commandsPage } from './commands-page';
import { dumpedResources } from './dumped-resources';
import { EXECUTOR_ROLE } from './executor-role';
import { failuresPage, knownFailures } from './failures-page';
import { findingsTable } from './findings-table';
import { fleetTable } from './fleet-table';
import { GUARD_ROLES } from './guard-roles';
import { NOTIFIER_ROLE } from './notifier-role';
import { PODS_ROLES } from './pods-roles';
import { promises } from './promises';
import {
  type DescribedRoutes,
  findingsQueryTable,
  metricsTable,
  routesTable,
  servicesMetricsTable,
} from './http-tables';
import { readOnlyRole } from './read-only-role';
import { unproposedTable } from './unproposed-table';
import { settingsPage } from './settings-page';
import { summariesOf } from './summaries-of';
import { stateFormatsTable } from './state-formats-table';
import { headersTable, rightsTable, topicSettingsTable, topicsTable } from './topics-table';
import { indentedJson } from '@ovn-steward/shared/indented-json';

/** A file by its path from the root of the repository, and what it must hold. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The pages, and the parts of pages, that repeat what the code says. Reads the latter for what
 * surrounds their parts.
 */
export async function generatedFiles(root: string): Promise<readonly GeneratedFile[]> {
  const openApi = (await stewardOpenApi(VERSION)) as DescribedRoutes;
  const rbac = `${readOnlyRole(KUBERNETES_KINDS)}${EXECUTOR_ROLE}`;
  return [
    {
      path: 'README.md',
      text: withParts(root, 'README.md', { findings: findingsTable(RULES) }),
    },
    {
      path: CHART_README,
      text: withParts(root, CHART_README, { values: commonValuesTable() }),
    },
    {
      path: 'docs/upgrade.md',
      text: withParts(root, 'docs/upgrade.md', { formats: stateFormatsTable() }),
    },
    {
      path: 'docs/http.md',
      text: withParts(root, 'docs/http.md', {
        routes: routesTable(openApi),
        query: findingsQueryTable(openApi),
        metrics: metricsTable(),
      }),
    },
    {
      path: 'docs/services.md',
      text: withParts(root, 'docs/services.md', { metrics: servicesMetricsTable() }),
    },
    {
      path: 'docs/kafka.md',
      text: withParts(root, 'docs/kafka.md', {
        topics: topicsTable(),
        headers: headersTable(),
        settings: topicSettingsTable(),
        rights: rightsTable(),
      }),
    },
    {
      path: 'docs/sizing.md',
      text: withParts(root, 'docs/sizing.md', { fleet: fleetTable() }),
    },
    {
      path: 'docs/executor.md',
      text: withParts(root, 'docs/executor.md', { unproposed: unproposedTable() }),
    },
    {
      path: 'docs/actions-contract.md',
      text: withParts(root, 'docs/actions-contract.md', { codes: actionCodesTable() }),
    },
    { path: 'contracts/openapi.json', text: indentedJson(openApi) },
    { path: 'contracts/promises.json', text: indentedJson(promises()) },
    {
      path: 'docs/commands.md',
      text: commandsPage(await stewardProgram(() => undefined), EXAMPLES),
    },
    {
      path: 'apps/steward/src/command-summaries.ts',
      text: summariesOf(await stewardProgram(() => undefined)),
    },
    { path: 'docs/settings.md', text: settingsPage() },
    { path: 'libs/client/src/finding.ts', text: clientTypes(schemaOf('finding'), 'Finding') },
    {
      path: 'libs/client/src/source-status.ts',
      text: clientTypes(schemaOf('status'), 'SourceStatus'),
    },
    { path: 'docs/rules.md', text: rulesPage(RULES) },
    {
      path: 'docs/failures.md',
      text: failuresPage(knownFailures(readFileSync(join(root, FAILURES), 'utf8'))),
    },
    {
      path: 'docs/adding-a-rule.md',
      text: withParts(root, 'docs/adding-a-rule.md', {
        rule: sourceOf(root, EXAMPLE),
        cases: sourceOf(root, `${EXAMPLE}.test`),
      }),
    },
    {
      path: 'tools/dump.sh',
      text: withParts(
        root,
        'tools/dump.sh',
        { resources: dumpedResources(KUBERNETES_KINDS) },
        (text) => `# ${text}`,
      ),
    },
    {
      path: 'docs/dashboards.md',
      text: withParts(root, 'docs/dashboards.md', { dashboards: dashboardsTable(DASHBOARDS) }),
    },
    ...DASHBOARDS.map((dashboard) => ({
      path: `${DASHBOARDS_FOLDER}/${dashboard.name}.json`,
      text: indentedJson(dashboardJson(dashboard)),
    })),
    { path: 'deploy/rbac.yaml', text: rbac },
    { path: 'deploy/rbac-guard.yaml', text: GUARD_ROLES },
    { path: 'deploy/rbac-pods.yaml', text: PODS_ROLES },
    { path: 'deploy/rbac-access.yaml', text: ACCESS_ROLES },
    { path: 'deploy/rbac-notifier.yaml', text: NOTIFIER_ROLE },
    ...chartFiles(root, VERSION, {
      rbac,
      guard: GUARD_ROLES,
      pods: PODS_ROLES,
      access: ACCESS_ROLES,
      notifier: NOTIFIER_ROLE,
    }),
  ];
}

const schemaOf = (document: string): object =>
  jsonSchemas().find((it) => it.file === `${document}.v1.schema.json`)!.schema;

const CHART_README = 'deploy/helm/ovn-steward/README.md';

/** The chart ships them from here; `tools/generate.cjs` removes others. */
const DASHBOARDS_FOLDER = 'deploy/helm/ovn-steward/files/dashboards';

/** Where the known failures are written down. */
const FAILURES = 'docs/domain/kube-ovn-failures.md';

/** The rule that docs/adding-a-rule.md shows whole: as short as a rule can be. */
const EXAMPLE = 'libs/judgement/src/rules/vlan-of-subnet-missing';

const sourceOf = (root: string, path: string): string =>
  `\`\`\`ts\n${readFileSync(join(root, `${path}.ts`), 'utf8')}\`\`\``;

/**
 * The page with what lies between its pairs of marks replaced.
 * @throws Error when marks are not there.
 */
function withParts(
  root: string,
  path: string,
  parts: Readonly<Record<string, string>>,
  mark = (text: string): string => `<!-- ${text} -->`,
): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) => {
      const begin = `${mark(`${name}: generated by npm run generate`)}\n`;
      const end = `\n${mark(`end of ${name}`)}`;
      const from = text.indexOf(begin);
      const to = text.indexOf(end);
      if (from < 0 || to < from)
        throw new Error(`${path} has lost the marks around its part "${name}"`);
      return `${text.slice(0, from)}${begin}${part}${text.slice(to)}`;
    },
    readFileSync(join(root, path), 'utf8'),
  );
}
