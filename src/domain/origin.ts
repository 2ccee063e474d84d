/** Whether a list of allowed web origins has this one; `*` allows any. */
export const isOriginAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => entry === "*" || entry.replace(/\/+$/, "").toLowerCase() === origin.toLowerCase());
