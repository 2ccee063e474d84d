/** A code of an error with its title. */
export interface ErrorCode {
  code: string;
  title: string;
}

/** The codes in the description of a problem: `` `no_source`: Nothing to ingest. `` */
export const codesIn = (description: string): ErrorCode[] =>
  [...description.matchAll(/`([a-z_]+)`: ([^`]*)/g)].map(([, code = "", title = ""]) => ({
    code,
    title: title.trim().replace(/\.$/, ""),
  }));
