const gap = 4;

/** Places what floats below an element, or above it where there is no room; within the window. */
export const placeBeside = (floating: HTMLElement, anchor: HTMLElement): void => {
  const place = anchor.getBoundingClientRect();
  const { width, height } = floating.getBoundingClientRect();
  const isLow = place.bottom + gap + height > innerHeight && place.top - gap - height >= 0;
  const isRight = place.left + width > innerWidth - gap;
  floating.style.top = `${isLow ? place.top - gap - height : place.bottom + gap}px`;
  floating.style.left = `${Math.max(gap, isRight ? place.right - width : place.left)}px`;
};
