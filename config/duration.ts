const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads a time as the configuration and the commands write it: `500ms`, `3s`, `15m`, `24h`, `30d`.
 * @returns milliseconds; null if the text is not a time or too large for an exact number
 */
export const parseDuration = (text: string): number | null => {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return null;
  const durationMs = Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
  return Number.isSafeInteger(durationMs) ? durationMs : null;
};
