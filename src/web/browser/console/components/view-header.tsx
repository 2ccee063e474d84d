import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface ViewHeaderProps {
  title: string;
  /** Beside the title: how many there are. */
  count?: number | null;
  /** Filters, then the one primary action. */
  children?: ComponentChildren;
}

/** The one line at the top of a view. Sets the title of the browser's tab. */
export const ViewHeader = ({ title, count = null, children }: ViewHeaderProps) => {
  useEffect(() => {
    document.title = `${title} · Carrel`;
  }, [title]);
  return (
    <header class="view-header">
      <h1 dir="auto">{title}</h1>
      {count !== null && <span class="quiet">{count.toLocaleString()}</span>}
      {children}
    </header>
  );
};
