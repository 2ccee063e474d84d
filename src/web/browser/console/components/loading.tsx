import { frameStrings as words } from "../frame/strings.ts";

/** Says that something is being loaded. Its style shows it after 200 ms: a short wait shows nothing at all. */
export const Loading = ({ children = words.loading }: { children?: string }) => (
  <p class="loading quiet" role="status">
    {children}
  </p>
);
