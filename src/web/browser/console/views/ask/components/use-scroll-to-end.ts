import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** How near to its end the page must be scrolled to follow what is appended, in pixels. */
const nearEndPixels = 48;

/**
 * Keeps the page at its end while a text grows, if the reader had scrolled it there; else nothing moves.
 * @param grown changes with each piece
 */
export const useScrollToEnd = (grown: unknown): void => {
  const isAtEnd = useRef(false);
  useEffect(() => {
    const look = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
      isAtEnd.current = scrollTop > 0 && scrollHeight - scrollTop - clientHeight < nearEndPixels;
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) document.documentElement.scrollTop = document.documentElement.scrollHeight;
  }, [grown]);
};
