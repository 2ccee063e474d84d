import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";

interface ViewHeaderProps {
  title: string;
  /** Beside the title: how many there are. */
  count?: number | null;
  /** Filters, then the one primary action. */
  children?: ComponentChildren;
}

/** The path whose heading last had the focus: the first view that is shown leaves it where the browser put it. */
let focusedPath: string | null = null;

/**
 * The one line at the top of a view. Sets the title of the browser's tab, and takes the focus when somebody came here
 * from another view, unless something in this one has it already.
 */
export const ViewHeader = ({ title, count = null, children }: ViewHeaderProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path } = useLocation();
  useEffect(() => {
    document.title = `${title} · Carrel`;
  }, [title]);
  useEffect(() => {
    const isFirst = focusedPath === null;
    const isHere = document.activeElement?.closest("main") ?? null;
    if (!isFirst && focusedPath !== path && isHere === null) heading.current?.focus();
    focusedPath = path;
  }, [path]);
  return (
    <header class="view-header">
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {title}
      </h1>
      {count !== null && <span class="quiet count">{count.toLocaleString()}</span>}
      {children}
    </header>
  );
};
