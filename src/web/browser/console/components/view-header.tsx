import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
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

interface Tab<Id extends string> {
  id: Id;
  label: ComponentChildren;
}

interface TabsProps<Id extends string> {
  /** What the tabs choose among, for screen readers. */
  label: string;
  tabs: readonly Tab<Id>[];
  selected: Id;
  onSelect(id: Id): void;
  /** What the selected tab shows. */
  children: ComponentChildren;
}

/** Tabs over one panel. Arrow keys, Home and End choose. */
export const Tabs = <Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const here = tabs.findIndex((tab) => tab.id === selected);
    const next = {
      ArrowRight: (here + 1) % tabs.length,
      ArrowLeft: (here - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined || next === undefined) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <>
      <div ref={list} class="tabs" role="tablist" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </>
  );
};
