/** Whether a web origin is in a list of allowed ones; `*` is any. */
export const isOriginAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => one === "*" || one.replace(/\/+$/, "").toLowerCase() === origin.toLowerCase());
