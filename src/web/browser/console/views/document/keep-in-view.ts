/** What is laid out later moves what is shown: for this long it is brought back. */
const keptMs = 3_000;
const handsOn = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Brings an element to the middle of its pane, and again while the pane's content is still laid out; until the reader
 * takes over.
 * @param bring scrolls to it
 */
export const keepInView = (pane: HTMLElement, bring: () => void): void => {
  bring();
  const observer = new ResizeObserver(bring);
  for (const child of pane.querySelectorAll(":scope > *, section")) observer.observe(child);
  const end = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const name of handsOn) pane.removeEventListener(name, end);
  };
  const timer = setTimeout(end, keptMs);
  for (const name of handsOn) pane.addEventListener(name, end, { passive: true });
};
