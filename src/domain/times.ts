/** Epoch milliseconds as the API writes times. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
