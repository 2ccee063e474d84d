import { ErrorBoundary } from "preact-iso";
import { later } from "./notes.tsx";

const FirstStepsList = later(async () => (await import("./first-steps-list.tsx")).FirstStepsList);

/** What a first visitor does, as a list of three steps. Its script is loaded only where it is shown. */
export const FirstSteps = () => (
  <ErrorBoundary>
    <FirstStepsList />
  </ErrorBoundary>
);
