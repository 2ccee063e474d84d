import { recordChange } from "../access/record-change.ts";
import { deleteDocument } from "../documents/document-records.ts";
import type { Principal, SitePage } from "../domain/records.ts";
import type { IngestWork } from "../ingest/work.ts";
import { pageKey } from "./page-address.ts";

/** What is stored about the pages of one site, kept up to date during a crawl. */
export interface KnownPages {
  get(url: string): SitePage | undefined;
  all(): Iterable<SitePage>;
  /** The address of a known page that is another form of this one, or this one. */
  formOf(url: string): string | undefined;
  /** The page where its document still exists: otherwise it is fetched as if it were new. */
  current(url: string): Promise<SitePage | undefined>;
  remember(page: Omit<SitePage, "id" | "siteId" | "visitedAt">): Promise<void>;
  /** Forgets a page and removes its document. @returns whether there was a document */
  forget(url: string): Promise<boolean>;
  /** Notes that a crawl which began at this page is complete. */
  markVisited(url: string): Promise<void>;
}

export const loadKnownPages = async (work: IngestWork, principal: Principal, siteId: string): Promise<KnownPages> => {
  const { sitePages, documents } = work.store;
  const pages = new Map((await sitePages.list(siteId)).map((page) => [page.url, page]));
  const forms = new Map([...pages.keys()].map((url) => [pageKey(url), url]));
  return {
    get: (url) => pages.get(url),
    formOf: (url) => forms.get(pageKey(url)),
    all: () => pages.values(),
    async current(url) {
      const page = pages.get(url);
      if (page === undefined || page.documentId === null) return page;
      return (await documents.get(principal, page.documentId)) === null ? undefined : page;
    },
    async remember(page) {
      const visitedAt = pages.get(page.url)?.visitedAt ?? 0;
      const row: SitePage = { ...page, id: `${siteId} ${page.url}`, siteId, visitedAt };
      pages.set(page.url, row);
      forms.set(pageKey(page.url), page.url);
      await sitePages.put(row);
    },
    async forget(url) {
      const page = pages.get(url);
      if (page === undefined) return false;
      const document = page.documentId === null ? null : await documents.get(principal, page.documentId);
      const isOwn = document !== null && document.originalUrl === url;
      if (isOwn) {
        const maker = { principal, actor: "site", address: "local", requestId: null } as const;
        const change = { action: "document.deleted", targetId: document.id } as const;
        await recordChange(work, maker, change, () => deleteDocument(work, principal, document.id));
      }
      pages.delete(url);
      if (forms.get(pageKey(url)) === url) forms.delete(pageKey(url));
      await sitePages.remove(page);
      return isOwn;
    },
    async markVisited(url) {
      const page = pages.get(url);
      if (page !== undefined) await sitePages.put({ ...page, visitedAt: Date.now() });
    },
  };
};
