import type { ComponentChildren, FunctionComponent } from "preact";
import { lazy } from "preact-iso";
import { messageOf } from "../../../../domain/errors.ts";
import { componentStrings as words } from "./words.ts";

/** Says that something is being loaded. Its style shows it after 200 ms: a short wait shows nothing at all. */
export const Loading = ({ children = words.loading }: { children?: string }) => (
  <p class="loading quiet" role="status">
    {children}
  </p>
);

/** What stands in place of an empty list: what would be here, and how it gets here. */
export const EmptyNote = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty-note">
    <h2>{title}</h2>
    {children}
  </div>
);

interface FailureNoteProps {
  /** Nothing is shown for null and undefined. */
  error: unknown;
  /** Offers to try again. */
  onRetry?(): void;
  /** Another way out. */
  children?: ComponentChildren;
}

/** What went wrong, why, and what to do: the server's own words where it gave any. */
export const FailureNote = ({ error, onRetry, children }: FailureNoteProps) =>
  error === null || error === undefined ? null : (
    <div class="failure" role="alert">
      <p dir="auto">{messageOf(error)}</p>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {words.tryAgain}
        </button>
      )}
      {children}
    </div>
  );

/**
 * A view whose script is loaded when it is first opened. After an upgrade of the server the script that this page knows
 * is gone: then the page offers to be loaded again.
 */
export const later = (load: () => Promise<FunctionComponent>): FunctionComponent =>
  lazy(() => load().catch(() => NotLoaded)) as FunctionComponent;

const NotLoaded = () => <FailureNote error={words.notLoaded} onRetry={() => location.reload()} />;
