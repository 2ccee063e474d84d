/** Prints a figure beside what it is of. */
export const show = (what: string, value: string) => console.log(`${what.padEnd(64)} ${value}`);

export const ms = (value: number) => `${value.toFixed(1)} ms`;

export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
