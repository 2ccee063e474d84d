import type { ComponentChildren } from "preact";

/** What stands in place of an empty list: what would be here, and how it gets here. */
export const EmptyNote = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty-note">
    <h2>{title}</h2>
    {children}
  </div>
);
