import { ApiError } from "../../domain/errors.ts";

/** The first write that finds no space frees the reserve of the disk: after this it is free. */
const freeingReserveMs = 100;

/**
 * Runs work that a full disk may prevent: a store on a full disk is opened all the same, for reading and deleting.
 * @returns false if there was no space; the next start tries again
 */
export const unlessFull = async (work: () => Promise<void>): Promise<boolean> => {
  const attempt = (): Promise<boolean> =>
    work().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.code === "storage_unavailable") return false;
        throw error;
      },
    );
  if (await attempt()) return true;
  await Bun.sleep(freeingReserveMs);
  return await attempt();
};
