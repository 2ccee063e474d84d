import { frameStrings as words } from "../frame/strings.ts";
import type { Pages } from "../state/use-pages.ts";

/** Loads the next page of a list; nothing where all is there. */
export const MoreButton = ({ pages: { items, total, more } }: { pages: Pages<unknown> }) =>
  more === null ? null : (
    <button type="button" class="more" onClick={more}>
      {words.more(items?.length ?? 0, total ?? 0)}
    </button>
  );
