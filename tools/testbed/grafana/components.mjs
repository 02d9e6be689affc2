// What of Grafana the page is drawn with, bundled once for this machine (src/provision/grafana.ts).
import uplot from 'uplot/dist/uPlot.min.css';

export { Component, createElement, useEffect, useState } from 'react';
export { createRoot } from 'react-dom/client';
export { firstValueFrom } from 'rxjs';
export {
  createTheme,
  dateTime,
  FieldType,
  getDisplayProcessor,
  getFieldDisplayName,
  getFieldDisplayValues,
  standardTransformers,
  standardTransformersRegistry,
  ThemeContext,
  toDataFrame,
  transformDataFrame,
} from '@grafana/data';
export { BigValue, GlobalStyles, PanelChrome, Table, TimeSeries, VizRepeater } from '@grafana/ui';
export const styles = uplot;
