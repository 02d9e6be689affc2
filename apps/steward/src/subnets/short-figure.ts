/** Decimal text in a few characters: IPv6 counts as `1.8e19`; `?` for what is not known. */
export const shortFigure = (figure: string | null): string =>
  figure === null
    ? '?'
    : figure.length > 9
      ? Number(figure).toExponential(1).replace('e+', 'e')
      : figure;
