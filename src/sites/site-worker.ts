/** The thread that reads what sites send: sitemaps, pages for their links, robots.txt. Started by site-thread.ts. */
import { type Pause, serveRequests } from "../async/threads/serve-requests.ts";
import { allowedPages, listedPages, robotsFacts, signsOf } from "./site-reading.ts";
import type { SiteAnswers, SiteRequest } from "./site-thread.ts";

const answer = async (request: SiteRequest, pause: Pause): Promise<SiteAnswers[SiteRequest["kind"]]> => {
  switch (request.kind) {
    case "sitemap":
      return await listedPages(request, pause);
    case "links":
      return await signsOf(request.bytes, request.base, pause);
    case "robots":
      return robotsFacts(request);
    case "allowed":
      return await allowedPages(request, pause);
  }
};

serveRequests(answer);
