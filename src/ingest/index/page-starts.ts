import type { ParsedFile } from "../../../providers/contract.ts";
import type { SnippetRecord } from "../../domain/records.ts";

/**
 * Where each page begins, as far as the snippets show: at its first snippet. The store keeps no other trace of pages.
 * @param snippets of one document, in their order
 */
export const pagesOf = (snippets: readonly Pick<SnippetRecord, "page" | "start">[]): ParsedFile["pages"] => {
  const pages: ParsedFile["pages"] = [];
  for (const { page, start } of snippets) if (page !== null && page !== pages.at(-1)?.page) pages.push({ page, start });
  return pages;
};
