const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A number of bytes for people: `1.5 GB`. */
export const sizeText = (bytes: number): string => {
  let size = bytes;
  let unit = 0;
  for (; size >= 1_000 && unit < units.length - 1; unit += 1) size /= 1_000;
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
};
