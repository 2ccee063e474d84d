import { pageRows } from "./list-query.ts";
import { documentsStrings as texts } from "./strings.ts";

interface PagerProps {
  /** From 1. */
  page: number;
  total: number;
  addressOf(page: number): string;
}

/** Leads through the pages of the list. */
export const Pager = ({ page, total, addressOf }: PagerProps) => {
  const last = Math.max(1, Math.ceil(total / pageRows));
  if (last === 1 && page === 1) return null;
  const link = (to: number, label: string) =>
    to >= 1 && to <= last ? (
      <a class="button" href={addressOf(to)}>
        {label}
      </a>
    ) : (
      <span class="button" aria-disabled="true">
        {label}
      </span>
    );
  return (
    <nav class="pager" aria-label={texts.pages}>
      {link(page - 1, texts.previous)}
      <span class="quiet" aria-live="polite">
        {texts.range((page - 1) * pageRows + 1, Math.min(total, page * pageRows), total)}
      </span>
      {link(page + 1, texts.next)}
    </nav>
  );
};
