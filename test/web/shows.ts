import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { eventually } from "../until.ts";

/** What a page comes to show; each waits until it does. */
export const shows = (place: Locator, text: string) =>
  eventually(async () => expect(await place.textContent()).toBe(text));
export const mentions = (place: Locator, part: string) =>
  eventually(async () => expect(await place.textContent()).toContain(part));
export const thereAre = (place: Locator, count: number) =>
  eventually(async () => expect(await place.count()).toBe(count));
export const lists = (place: Locator, texts: readonly unknown[]) =>
  eventually(async () => expect(await place.allTextContents()).toEqual([...texts] as string[]));
