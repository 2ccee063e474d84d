/** Time for the first view to be loaded and shown. */
const waitMs = 3_000;

/**
 * Has the browser load, when it has nothing else to do, the scripts of the views that people go on to; the page says where
 * they are. What does not come is loaded when its view is opened. @returns ends it
 */
export const prefetchViews = (): (() => void) => {
  const paths = document.querySelector<HTMLElement>("#console")?.dataset.next?.split(" ") ?? [];
  const timer = setTimeout(() => {
    for (const path of paths) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "prefetch", as: "script", href: path });
      document.head.append(link);
    }
  }, waitMs);
  return () => clearTimeout(timer);
};
