import { signal } from "@preact/signals";
import { type Api, type OpenApiDocument, readApi } from "./api.ts";
import type { Guide } from "./guide-text.ts";

/** Both take a moment on a slow line; a server that does not answer at all is told of. */
const maxLoadMs = 60_000;

/** The guides in their order; null until they are there. */
export const guides = signal<readonly Guide[] | null>(null);

/** The operations; null until they are there. */
export const api = signal<Api | null>(null);

/** Whether the server did not give one of the two. */
export const hasFailed = signal(false);

const load = async <Loaded>(path: string): Promise<Loaded> => {
  const answer = await fetch(path, { signal: AbortSignal.timeout(maxLoadMs) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Loaded;
};

/** Loads what is not there yet, each by itself: a guide is shown before the operations are known. */
export const loadDocuments = async (guidesPath: string, referencePath: string): Promise<void> => {
  hasFailed.value = false;
  const loads: Promise<void>[] = [];
  if (guides.peek() === null)
    loads.push(
      load<Guide[]>(guidesPath).then((loaded) => {
        guides.value = loaded;
      }),
    );
  if (api.peek() === null)
    loads.push(
      load<OpenApiDocument>(referencePath).then((loaded) => {
        api.value = readApi(loaded);
      }),
    );
  const ends = await Promise.allSettled(loads);
  hasFailed.value = ends.some(({ status }) => status === "rejected");
};

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
