import { signal } from "@preact/signals";

/** Something that a first visitor does once. */
type Step = "asked" | "called" | "quotingRead";

const nameOf = (step: Step): string => `carrel-${step}`;

/** Storage may be forbidden; then a step counts until the page is left. */
const read = (step: Step): boolean => {
  try {
    return localStorage.getItem(nameOf(step)) === "1";
  } catch {
    return false;
  }
};

/** What was done in this browser, whoever is signed in. */
export const stepsDone = {
  asked: signal(read("asked")),
  called: signal(read("called")),
  quotingRead: signal(read("quotingRead")),
};

export const markDone = (step: Step): void => {
  stepsDone[step].value = true;
  try {
    localStorage.setItem(nameOf(step), "1");
  } catch {
    // Private windows of some browsers store nothing.
  }
};
