import type { ComponentChildren } from "preact";

/** What went wrong, why, and what to do: the server's own words where it gave any. */
export const FailureNote = ({ error, children }: { error: unknown; children?: ComponentChildren }) =>
  error === null || error === undefined ? null : (
    <div class="failure" role="alert">
      <p dir="auto">{error instanceof Error ? error.message : String(error)}</p>
      {children}
    </div>
  );
