import type { Program } from "./program.ts";

/** What `GET /api/embedder` tells of vectors that are still to be made. */
export interface VectorStatus {
  /** Documents that lack vectors of the configured model. */
  pending: number;
  /** A change of model that is under way, or null. */
  building: unknown;
}

export const hasAllVectors = ({ pending, building }: VectorStatus): boolean => pending === 0 && building === null;

/** Waits until the configured model's vectors are made; each look costs the program time. */
export const untilVectors = async ({ url, headers }: Program, pollMs: number): Promise<void> => {
  for (;;) {
    const response = await fetch(`${url}/api/embedder`, { headers });
    if (hasAllVectors((await response.json()) as VectorStatus)) return;
    await Bun.sleep(pollMs);
  }
};
