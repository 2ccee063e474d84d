import type { Block } from "./blocks.ts";

/** Adds blocks at the end, one by one: a call takes only so many arguments, and a sheet has a million rows. */
export const appendBlocks = (blocks: Block[], more: readonly Block[]): void => {
  for (const block of more) blocks.push(block);
};
