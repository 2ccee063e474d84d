/** Names in every data directory of Carrel, whether its server runs or not. */
const marks = ["lock", "secret", "tables"];

/**
 * Whether a folder is a data directory of Carrel, by the names in it. Its files are no documents: each one ingested
 * would add more files there.
 */
export const isDataFolder = (names: readonly string[]): boolean => marks.every((mark) => names.includes(mark));
