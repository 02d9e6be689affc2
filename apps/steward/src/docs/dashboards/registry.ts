import type { Dashboard } from '../grafana/dashboard';
import { executorDashboard } from './executor';
import { findingsDashboard } from './findings';
import { overviewDashboard } from './overview';
import { pipelineDashboard } from './pipeline';
import { subnetsDashboard } from './subnets';

/** Every dashboard, in the order of docs/dashboards.md. A new one: its file, and its line here. */
export const DASHBOARDS: readonly Dashboard[] = [
  overviewDashboard,
  subnetsDashboard,
  findingsDashboard,
  executorDashboard,
  pipelineDashboard,
];
