import type { Pages } from "../state/use-pages.ts";
import { strings } from "../strings.ts";

/** Loads the next page of a list; nothing where all is there. */
export const MoreButton = ({ pages: { items, total, more } }: { pages: Pages<unknown> }) =>
  more === null ? null : (
    <button type="button" class="more" onClick={more}>
      {strings.frame.more(items?.length ?? 0, total ?? 0)}
    </button>
  );
