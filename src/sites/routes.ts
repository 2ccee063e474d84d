import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import { hasVectors, type WithEmbedder } from "../documents/document-json.ts";
import { ingestedJson, sourceErrors } from "../documents/ingest-routes.ts";
import { documentExample, documentStatusSchema, ingestedSchema } from "../documents/schema.ts";
import { invalidField, withAddressIn } from "../domain/errors.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import {
  addressField,
  idField,
  metadataField,
  nameField,
  partitionNameField,
  scopeField,
  textField,
} from "../http/schema/fields.ts";
import type { IngestWork } from "../ingest/work.ts";
import { pageAddress } from "./page-address.ts";
import type { PageFetcher } from "./page-fetcher.ts";
import { putPage, scanSitemap } from "./put-page.ts";

const tag = "Documents";

const placeFields = {
  partitionId: Type.Optional(scopeField(idField("Partition to ingest into."))),
  partition: Type.Optional(
    scopeField(partitionNameField("Name of the partition to ingest into; made where there is none.", ["Handbook"])),
  ),
};

const pageBody = Type.Object(
  {
    url: addressField(1_024, "Address of the page."),
    name: Type.Optional(nameField("Name of the document; otherwise the page's title.")),
    metadata: Type.Optional(metadataField("Free-form JSON object, at most 64 KiB.")),
    ...placeFields,
  },
  { $id: "PageScanRequest", "x-not-both": ["partitionId", "partition"] },
);

const sitemapBody = Type.Object(
  {
    rootDomain: textField({
      maxLength: 1_024,
      blank: false,
      description: "Host of the site, with or without `https://`, or the address of its sitemap.",
      examples: ["handbook.example"],
    }),
    ...placeFields,
  },
  { $id: "SitemapScanRequest", "x-not-both": ["partitionId", "partition"] },
);

const sitemapAnswer = Type.Object(
  {
    documents: Type.Array(
      Type.Object({
        id: Type.String({ description: "Identifier of the page's document." }),
        url: Type.String({ description: "Address of the page." }),
        status: documentStatusSchema,
      }),
      { description: "The pages, in the order of the sitemap." },
    ),
    warnings: Type.Array(Type.String(), { description: "What was left out, and why." }),
  },
  { $id: "SitemapScan", description: "The pages of a site, as documents." },
);

const placeOf = (place: { partitionId?: string; partition?: string }) => ({
  partitionId: place.partitionId ?? null,
  partition: place.partition?.trim() ?? null,
});

/** `/api/scanPageContent` and `/api/scanSitemap`. */
export const siteScanEndpoints = ({
  work,
  pages,
  config,
  embedder,
}: { work: IngestWork; pages: PageFetcher; config: Config } & WithEmbedder): Endpoint[] =>
  [
    endpoint({
      method: "POST",
      path: "/api/scanPageContent",
      operationId: "scanPageContent",
      access: "writer",
      tag,
      summary: "Ingest a web page",
      description:
        "As `/api/ingest` does with `websiteUrl`, under the page's address: scanned again, the document is replaced, and nothing is embedded where the text is the same. A page that its host's robots.txt forbids is not fetched.",
      body: pageBody,
      responses: { 200: ingestedSchema },
      errors: sourceErrors,
      example: {
        request: { url: "https://handbook.example/hours" },
        response: {
          ...documentExample,
          originalUrl: "https://handbook.example/hours",
          name: "Opening hours",
          text: documentExample.originalText,
          unchanged: false,
        },
      },
      async handle({ principal, body, baseUrl, signal }) {
        const address = pageAddress(body.url);
        if (address === null) throw invalidField("url", "must be a whole http or https address, such as https://…");
        pages.forgetRules(address);
        const { name, metadata } = body;
        const place = { ...placeOf(body), name: name ?? null, metadata: metadata ?? null };
        const ingested = await withAddressIn("url", () => putPage(work, principal, address, place, "now", signal));
        return ingestedJson(ingested, { baseUrl, isEmbedded: await hasVectors(embedder, ingested.document) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/api/scanSitemap",
      operationId: "scanSitemap",
      access: "writer",
      tag,
      summary: "Ingest a site's pages",
      description:
        "Finds the site's sitemap (robots.txt, then `/sitemap.xml`; indexes are followed) and ingests each page that robots.txt allows, as a job: the answer names the documents, which are processed afterwards. A second scan updates them and adds only new pages. A site without a sitemap is a 422 `fetch_failed`.",
      body: sitemapBody,
      responses: { 200: sitemapAnswer },
      errors: [
        "invalid_request",
        "partition_conflict",
        "partition_not_found",
        "address_refused",
        "fetch_failed",
        "fetch_timeout",
        "document_too_large",
        "overloaded",
        "storage_unavailable",
        "quota_reached",
      ],
      example: {
        request: { rootDomain: "handbook.example" },
        response: {
          documents: [{ id: documentExample.id, url: "https://handbook.example/hours", status: "pending" }],
          warnings: [],
        },
      },
      handle: ({ principal, body, signal }) =>
        withAddressIn("rootDomain", () =>
          scanSitemap(work, pages, principal, { rootDomain: body.rootDomain, ...placeOf(body) }, config.scan, signal),
        ),
    }),
  ] as Endpoint[];
