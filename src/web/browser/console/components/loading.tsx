import { strings } from "../strings.ts";

/** Says that something is being loaded. Its style shows it after 200 ms: a short wait shows nothing at all. */
export const Loading = ({ children = strings.frame.loading }: { children?: string }) => (
  <p class="loading quiet" role="status">
    {children}
  </p>
);
