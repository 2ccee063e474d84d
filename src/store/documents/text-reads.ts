import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import type { DocumentStore } from "../contract/documents.ts";
import { isOneOf } from "../engine/filters.ts";
import { tenantOf } from "./document-records.ts";
import type { DocumentTables } from "./document-tables.ts";

type TextReads = Pick<DocumentStore, "getText" | "getTexts" | "visitTexts" | "getPendingText">;

/** Id of the text of a document: of its revision, else the text that it was sent with. */
const textIdOf = (document: DocumentRecord): string => document.revision ?? document.id;

/** Texts are read together up to this many tokens: usually one mebibyte, at most 32 (a token has at most 128 bytes). */
const maxGroupTokens = 250_000;

const tokensOf = ({ tokens }: DocumentRecord): number => tokens ?? Number.POSITIVE_INFINITY;

const isLong = (documents: readonly DocumentRecord[]): boolean =>
  documents.reduce((sum, document) => sum + tokensOf(document), 0) > maxGroupTokens;

/** Documents in their order, in groups whose texts fit into memory together; a long one is a group of its own. */
const groupsOf = (documents: readonly DocumentRecord[]): DocumentRecord[][] => {
  const groups: DocumentRecord[][] = [];
  for (const document of documents) {
    const last = groups.at(-1);
    if (last !== undefined && !isLong([...last, document])) last.push(document);
    else groups.push([document]);
  }
  return groups;
};

/** Reads the texts of documents. Long ones are in memory one group at a time, whoever asks. */
export const createTextReads = ({
  texts,
  pendingTexts,
  records,
  damage,
}: Pick<DocumentTables, "texts" | "pendingTexts" | "records" | "damage">): TextReads => {
  const oneAtATime = createKeyedMutex();

  const getTexts = async (wanted: readonly DocumentRecord[]): Promise<Map<string, string>> => {
    if (wanted.length === 0) return new Map();
    const rows = await texts.find({ where: isOneOf("id", wanted.map(textIdOf)) });
    const byId = new Map(rows.map((row) => [row.id, row.text]));
    const found = new Map<string, string>();
    for (const document of wanted) {
      const text = byId.get(textIdOf(document));
      if (text !== undefined) found.set(document.id, text);
    }
    return found;
  };

  /** @throws ApiError data_damaged for a text that the document has, and that was not found or is not as it was written */
  const assertWithoutText = async (document: DocumentRecord): Promise<void> => {
    const { id, organizationId, revision } = document;
    if (revision === null) return;
    const now = await records.find(tenantOf(document), id);
    if (now?.revision !== revision) return; // it was replaced or removed meanwhile
    const detail = "the text of a document is damaged or lost";
    damage.note({ kind: "row", where: texts.definition.name, id: revision, organizationId, belongsTo: id, detail });
    throw await damage.error(`The text of the document ${id} is damaged or lost`);
  };

  const visitTexts: TextReads["visitTexts"] = async (wanted, take) => {
    const groups = groupsOf(wanted);
    const visitGroups = async () => {
      for (const group of groups) {
        const found = await getTexts(group);
        for (const document of group) {
          const text = found.get(document.id);
          if (text === undefined) await assertWithoutText(document);
          else take(document, text);
        }
      }
    };
    await (isLong(wanted) ? oneAtATime("long texts", visitGroups) : visitGroups());
  };

  return {
    getTexts,
    visitTexts,
    async getText(document) {
      let found: string | null = null;
      await visitTexts([document], (_, text) => {
        found = text;
      });
      return found;
    },
    getPendingText: pendingTexts.read,
  };
};
