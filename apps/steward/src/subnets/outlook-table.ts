import { safeText } from '@ovn-steward/shared/safe-text';
import { type Cells, tableText } from '../output/columns';
import { fullIn } from './full-in';
import type { OutlookReport, OutlookReports } from '@ovn-steward/analyzer';
import { shortFigure } from './short-figure';

const HEAD = ['VPC', 'SUBNETS', 'HELD', 'FREE', 'FULL IN', 'FIRST FULL'];

/** One line per VPC and one for the cluster; `-` is none, `?` is not known. */
export const outlookTable = (reports: OutlookReports): string => tableText(outlookCells(reports));

export const outlookCells = ({ vpcs, total }: OutlookReports): Cells => ({
  head: HEAD,
  rows: [...vpcs.map((it) => cells(safeText(it.vpc) || '-', it)), cells('all', total)],
});

const cells = (
  name: string,
  { subnets, addresses, exhaustion, first }: OutlookReport,
): string[] => [
  name,
  String(subnets),
  addresses.map(({ held }) => shortFigure(held)).join(' | ') || '-',
  addresses.map(({ free }) => shortFigure(free)).join(' | ') || '-',
  fullIn(exhaustion),
  first === null
    ? '-'
    : `${safeText(first.subnet)} ${first.fullInSeconds === 0 ? 'now' : `in ${fullIn({ is: 'growing', taken: 0, windowSeconds: 0, fullInSeconds: first.fullInSeconds })}`}`,
];
