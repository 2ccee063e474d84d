import type { FunctionComponent } from "preact";
import { lazy } from "preact-iso";
import { FailureNote } from "../components/failure-note.tsx";
import { frameStrings as words } from "./strings.ts";

/**
 * A view whose script is loaded when it is first opened. After an upgrade of the server the script that this page knows
 * is gone: then the page offers to be loaded again.
 */
export const later = (load: () => Promise<FunctionComponent>): FunctionComponent =>
  lazy(() => load().catch(() => NotLoaded)) as FunctionComponent;

const NotLoaded = () => <FailureNote error={words.notLoaded} onRetry={() => location.reload()} />;
