import { Ellipsis, type IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { Icon } from "../../shared/controls.tsx";

interface MenuItem {
  label: string;
  icon?: IconNode;
  /** In the color of what destroys. */
  isDangerous?: boolean;
  run(): void;
}

interface MenuProps {
  /** What the button says, or its label where `children` show something else. */
  label: string;
  items: readonly MenuItem[];
  /** An icon in place of the words. */
  children?: ComponentChildren;
  class?: string;
}

/** A button that opens a list of commands. Arrow keys, Home, End and first letters move in it; Escape closes it. */
export const Menu = ({ label, items, children, class: name = "" }: MenuProps) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const entries = (): HTMLButtonElement[] => [...(list.current?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
  const open = (at: "first" | "last") => {
    if (list.current === null || button.current === null) return;
    list.current.showPopover();
    placeBeside(list.current, button.current);
    entries()
      .at(at === "first" ? 0 : -1)
      ?.focus();
  };
  const close = () => {
    list.current?.hidePopover();
    button.current?.focus();
  };

  const onListKey = (event: KeyboardEvent) => {
    const all = entries();
    const here = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = {
      ArrowDown: all[(here + 1) % all.length],
      ArrowUp: all.at(here - 1),
      Home: all[0],
      End: all.at(-1),
    }[event.key];
    const letter = event.key.length === 1 ? event.key.toLowerCase() : null;
    const named = [...all.slice(here + 1), ...all].find(
      ({ textContent }) => letter !== null && textContent?.trim().toLowerCase().startsWith(letter),
    );
    if (event.key === "Escape" || event.key === "Tab") close();
    else (next ?? named)?.focus();
    if (event.key !== "Tab" && event.key !== "Enter" && event.key !== " ") event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        class={name}
        aria-haspopup="menu"
        aria-controls={id}
        aria-label={children === undefined ? undefined : label}
        popovertarget={id}
        onClick={(event) => {
          event.preventDefault();
          if (list.current?.matches(":popover-open")) close();
          else open("first");
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          open(event.key === "ArrowDown" ? "first" : "last");
        }}
      >
        {children ?? label}
      </button>
      <div ref={list} id={id} popover="auto" class="menu" role="menu" tabIndex={-1} onKeyDown={onListKey}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={item.isDangerous ? "dangerous" : ""}
            onClick={() => {
              close();
              item.run();
            }}
          >
            {item.icon && <Icon icon={item.icon} />}
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
};

/** A menu of what else can be done, behind three dots. @param label what it is the menu of */
export const MoreMenu = ({ label, items }: Pick<MenuProps, "label" | "items">) => (
  <Menu label={label} items={items} class="icon-only">
    <Icon icon={Ellipsis} />
  </Menu>
);

const gap = 4;

/** Places what floats below an element, or above it where there is no room; within the window. */
const placeBeside = (floating: HTMLElement, anchor: HTMLElement): void => {
  const place = anchor.getBoundingClientRect();
  const { width, height } = floating.getBoundingClientRect();
  const isLow = place.bottom + gap + height > innerHeight && place.top - gap - height >= 0;
  const isRight = place.left + width > innerWidth - gap;
  floating.style.top = `${isLow ? place.top - gap - height : place.bottom + gap}px`;
  floating.style.left = `${Math.max(gap, isRight ? place.right - width : place.left)}px`;
};
