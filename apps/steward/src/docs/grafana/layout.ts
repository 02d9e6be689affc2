import type { DashboardPanel, DashboardSection } from './dashboard';

export interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The columns of Grafana's grid. */
export const COLUMNS = 24;

const HEIGHTS: Readonly<Record<DashboardPanel['type'], number>> = {
  stat: 4,
  timeseries: 8,
  table: 10,
};

/** A section's heading, or a panel, and where it stands. */
export type PlacedPanel =
  | { readonly heading: string; readonly at: GridPosition }
  | { readonly panel: DashboardPanel; readonly at: GridPosition };

/**
 * Places panels from left to right below the heading of their section, in lines as high as their
 * highest panel.
 */
export function layout(sections: readonly DashboardSection[]): readonly PlacedPanel[] {
  const placed: PlacedPanel[] = [];
  let line: { readonly panel: DashboardPanel; readonly x: number }[] = [];
  let x = 0;
  let y = 0;
  const endLine = (): void => {
    const h = Math.max(0, ...line.map(({ panel }) => HEIGHTS[panel.type]));
    for (const { panel, x } of line) placed.push({ panel, at: { x, y, w: panel.width, h } });
    line = [];
    x = 0;
    y = y + h;
  };
  for (const { title, panels } of sections) {
    placed.push({ heading: title, at: { x: 0, y, w: COLUMNS, h: 1 } });
    y += 1;
    for (const panel of panels) {
      if (x + panel.width > COLUMNS) endLine();
      line.push({ panel, x });
      x += panel.width;
    }
    endLine();
  }
  return placed;
}
