/** One limit over a window of time, and how much of it a caller has used. */
export interface WindowState {
  /** As in the headers: `key-requests`. */
  name: string;
  limit: number;
  used: number;
  windowSeconds: number;
  /** Until the window ends; the whole window where nothing was used yet. */
  resetMs: number;
  unit: "requests" | "tokens";
}

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-10: an item for each limit, with the
 * quota `q`, its window `w` and its unit `qu` (requests where left out), and with what remains `r` and the seconds to
 * its reset `t`.
 */
export const windowHeaders = (windows: readonly WindowState[]): Record<string, string> => {
  if (windows.length === 0) return {};
  const policy = windows.map(
    ({ name, limit, windowSeconds, unit }) =>
      `"${name}";q=${limit};w=${windowSeconds}${unit === "requests" ? "" : `;qu="${unit}"`}`,
  );
  const state = windows.map(
    ({ name, limit, used, resetMs }) => `"${name}";r=${Math.max(0, limit - used)};t=${Math.ceil(resetMs / 1_000)}`,
  );
  return { "ratelimit-policy": policy.join(", "), ratelimit: state.join(", ") };
};
