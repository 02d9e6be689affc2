/** A figure with so many digits behind the point. */
export const roundTo = (number: number, digits: number): number => Number(number.toFixed(digits));
