import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";

interface ViewHeaderProps {
  title: string;
  /** Beside the title: how many there are. */
  count?: number | null;
  /** Filters, then the one primary action. */
  children?: ComponentChildren;
}

/** The last heading that was shown; null before the first view, which leaves the focus where the browser put it. */
let last: { path: string; heading: HTMLElement | null } | null = null;

/**
 * Whether the heading gets the focus: not if something else in the view has it. At the same path only if a heading has
 * it: that of the view before, which stays until this one is loaded.
 */
const takesFocus = (path: string): boolean => {
  const active = document.activeElement;
  if (last === null || (active?.closest("main") && active.tagName !== "H1")) return false;
  return last.path !== path || active === last.heading || active === document.body;
};

/**
 * The one line at the top of a view. Sets the title of the browser's tab, and takes the focus when somebody came here
 * from another view, unless something in this one has it already.
 */
export const ViewHeader = ({ title, count = null, children }: ViewHeaderProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path } = useLocation();
  useLayoutEffect(() => {
    document.title = `${title} · Carrel`;
  }, [title]);
  useLayoutEffect(() => {
    if (takesFocus(path)) heading.current?.focus();
    last = { path, heading: heading.current };
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
