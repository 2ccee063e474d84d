/** What every data directory of Carrel holds, running or not. */
const marks = ["lock", "secret", "tables"];

/**
 * Whether a folder is a data directory of Carrel, by the names in it. What lies there is no document: taken in, each
 * file would make more files there.
 */
export const isDataFolder = (names: readonly string[]): boolean => marks.every((mark) => names.includes(mark));
