// Draws a dashboard with the answers that Prometheus gave, and reports what was drawn.
/* global Grafana, document, window, fetch, setTimeout */
import { KINDS } from './kinds.mjs';

const { Component, createElement, createRoot, createTheme, dateTime, GlobalStyles } = Grafana;
const { PanelChrome, standardTransformers, standardTransformersRegistry, ThemeContext } = Grafana;
const [COLUMN, ROW, GAP] = [58, 38, 8];

const { dashboard, answers, from, to } = await (await fetch('data.json')).json();
const theme = createTheme({ colors: { mode: 'light' } });
const range = { from: dateTime(from * 1000), to: dateTime(to * 1000) };
const timeRange = { ...range, raw: range };
const transformers = new Map(Object.values(standardTransformers).map((it) => [it.id, it]));
standardTransformersRegistry.setInit(() =>
  [...transformers].map(([id, transformation]) => ({
    ...{ id, transformation, name: transformation.name, aliasIds: [] },
  })),
);

/** Why a panel could not be drawn stands in its place. */
class Drawn extends Component {
  state = {};
  static getDerivedStateFromError = (error) => ({ error: String(error?.stack ?? error) });
  render() {
    const { error } = this.state;
    return error ? createElement('pre', { className: 'failed' }, error) : this.props.children;
  }
}

function Panel({ panel }) {
  const { x, y, w, h } = panel.gridPos;
  const [width, height] = [w * COLUMN - GAP, h * ROW - GAP];
  const style = { position: 'absolute', left: x * COLUMN, top: y * ROW, width, height };
  const drawn =
    panel.type === 'row'
      ? createElement('div', { className: 'heading' }, panel.title)
      : createElement(
          PanelChrome,
          { title: panel.title, description: panel.description, width, height },
          (width, height) =>
            createElement(
              Drawn,
              null,
              createElement(KINDS[panel.type], {
                ...{ panel, theme, timeRange, width, height, answers: answers[panel.id] },
              }),
            ),
        );
  return createElement('section', { style, id: `panel-${panel.id}` }, drawn);
}

const style = document.createElement('style');
style.textContent = Grafana.styles;
document.head.append(style);
createRoot(document.getElementById('dashboard')).render(
  createElement(
    ThemeContext.Provider,
    { value: theme },
    createElement(GlobalStyles),
    createElement('h1', null, dashboard.title),
    createElement(
      'main',
      null,
      dashboard.panels.map((panel) => createElement(Panel, { key: panel.id, panel })),
    ),
  ),
);

/** A text that ends in dots, since it has no room. */
const isCut = (it) => it.scrollWidth > it.clientWidth + 1;
const measured = ({ id, title }) => {
  const panel = document.getElementById(`panel-${id}`);
  const failed = panel.querySelector('.failed');
  const titles = [...panel.querySelectorAll('h2')].filter((it) => it.textContent === title);
  const legend = panel.querySelector('[class*="LegendContainer"], [class*="legend"]');
  return {
    title,
    failed: failed?.textContent ?? null,
    text: panel.innerText,
    graphs: panel.querySelectorAll('canvas').length,
    rows: panel.querySelectorAll('[role="row"]').length,
    titleCut: titles.length !== 1 || isCut(titles[0]),
    legend: legend === null ? 0 : legend.scrollHeight - legend.clientHeight,
  };
};
window.addEventListener('error', (event) => void report({ error: String(event.error?.stack) }));
const report = (body) => fetch('drawn', { method: 'POST', body: JSON.stringify(body) });
setTimeout(
  () => void report(dashboard.panels.filter((it) => it.type !== 'row').map(measured)),
  3000,
);
