import type { Locator, Page } from "playwright-core";
import type { Shot } from "./frame-encoder.ts";

/** Takes shots of a page while it is used, with a pointer that is drawn where the browser's would be. */
export interface Film {
  shots: Shot[];
  /** What hangs at the pointer. */
  carry(name: string | null): void;
  hold(durationMs: number): Promise<void>;
  /** Moves the pointer onto the middle of an element, or to a place. */
  moveTo(target: Locator | { x: number; y: number }): Promise<void>;
  /** Moves there and presses. */
  click(element: Locator): Promise<void>;
  type(text: string): Promise<void>;
}

const stepMs = 50;
const steps = 8;
const pressMs = 120;
const lettersAtOnce = 3;
const lettersMs = 110;

export const createFilm = (page: Page): Film => {
  const shots: Shot[] = [];
  let pointer = { x: (page.viewportSize()?.width ?? 0) - 60, y: (page.viewportSize()?.height ?? 0) - 40 };
  let carried: string | null = null;
  const hold = async (durationMs: number): Promise<void> => {
    shots.push({ png: await page.screenshot({ caret: "initial" }), durationMs, pointer, carried });
  };
  const moveTo = async (target: Locator | { x: number; y: number }): Promise<void> => {
    const to = "x" in target ? target : await middleOf(target);
    const from = pointer;
    for (let step = 1; step <= steps; step++) {
      // Slower at both ends, as a hand moves.
      const share = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      pointer = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await page.mouse.move(pointer.x, pointer.y);
      await hold(stepMs);
    }
  };
  return {
    shots,
    hold,
    moveTo,
    carry(name) {
      carried = name;
    },
    async click(element) {
      await moveTo(element);
      await hold(pressMs);
      await element.click();
    },
    async type(text) {
      for (let at = 0; at < text.length; at += lettersAtOnce) {
        await page.keyboard.type(text.slice(at, at + lettersAtOnce));
        await hold(lettersMs);
      }
    },
  };
};

const middleOf = async (element: Locator): Promise<{ x: number; y: number }> => {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${element} cannot be seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
