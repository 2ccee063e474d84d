/** The part of the page that the address names after `#`; null where it names none, or one that is not there. */
const wantedPlace = (): HTMLElement | null => {
  if (location.hash.length < 2) return null;
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
};

/** Scrolls to the place that the address names. What is shown came after the browser looked for it. */
export const showPlace = (): void => {
  const place = wantedPlace();
  const folded = place?.closest("details");
  if (folded) folded.open = true;
  place?.scrollIntoView();
};
