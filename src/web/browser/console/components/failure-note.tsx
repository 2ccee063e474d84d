import type { ComponentChildren } from "preact";
import { messageOf } from "../../../../domain/thrown.ts";
import { frameStrings } from "../frame/strings.ts";

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
          {frameStrings.tryAgain}
        </button>
      )}
      {children}
    </div>
  );
