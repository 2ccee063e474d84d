import type { Block } from "../../blocks/blocks.ts";
import type { OfficePackage, Relation } from "../../containers/office-package.ts";
import { descendant } from "../../markup/markup.ts";
import type { PartReader } from "./part-reader.ts";

const pageNumber = /^(?:page|seite)?[\s\d/|–-]*(?:(?:of|von)[\s\d]*)?$/i;
const maxPageNumberCharacters = 100;

/** The document's headers or its footers, each text once; page numbers alone are left out. */
export const readHeadersOrFooters = (
  type: "header" | "footer",
  file: OfficePackage,
  relations: Iterable<Relation>,
  readerOf: (path: string) => PartReader,
): Block[] => {
  const seen = new Set<string>();
  return [...relations].flatMap((relation) => {
    if (relation.type !== type) return [];
    const root = file.part(relation.target);
    const container = root ? (descendant(root, "w:hdr") ?? descendant(root, "w:ftr")) : null;
    return (container ? readerOf(relation.target).blocks(container) : []).filter((block) => {
      const key = JSON.stringify({ ...block, kind: "" });
      const isPageNumber = block.kind === "paragraph" && pageNumber.test(block.text.slice(0, maxPageNumberCharacters));
      if (seen.has(key) || isPageNumber) return false;
      seen.add(key);
      return true;
    });
  });
};
