import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null;

/** `/` leads to the field from anywhere but other fields. */
export const useSlashKey = (field: RefObject<HTMLInputElement | null>): void => {
  // Not after the paint: whoever sees the page may press its key.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
};
