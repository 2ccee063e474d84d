import { createHash } from "node:crypto";
import { unknownCitations } from "../citations.ts";
import { quote } from "../engine/filters.ts";
import type { LanceTable } from "../engine/lance.ts";
import { erasureNote } from "../erasure/erasure-notes.ts";
import type { StepContext } from "./migration.ts";

/** Rows changed in one commit. */
const pageRows = 500;

/**
 * For a store from before removed documents were erased: removes the document text from answers to idempotent requests,
 * and notes all tables for erasure after the start. The documents that a message cites are not known yet: the erasure
 * pass reads them from its sources. Documents get the count of begun attempts.
 */
export const forgetRemovedDocuments = async ({ connection, meta }: StepContext): Promise<void> => {
  const names = await connection.tableNames();
  if (names.includes("messages")) {
    const messages = await connection.openTable("messages");
    if (!(await messages.schema()).fields.some(({ name }) => name === "cites"))
      await messages.addColumns([{ name: "cites", valueSql: `cast(${quote(unknownCitations)} as string)` }]);
    messages.close();
  }
  if (names.includes("documents")) {
    const documents = await connection.openTable("documents");
    if (!(await documents.schema()).fields.some(({ name }) => name === "begun"))
      await documents.addColumns([{ name: "begun", valueSql: "cast(0 as int)" }]);
    documents.close();
  }
  if (names.includes("idempotency")) {
    const idempotency = await connection.openTable("idempotency");
    await dropTexts(idempotency);
    idempotency.close();
  }
  const noted = names.filter((name) => name !== meta.definition.name).map(erasureNote);
  await meta.upsert("erasures", noted);
};

/** Before, answers were stored whole, as `{"status": …, "body": …}`. */
const dropTexts = async (table: LanceTable): Promise<void> => {
  const whole = table.query().where(`answer LIKE '{"status"%'`).limit(pageRows);
  for (;;) {
    const rows = (await whole.toArray()) as { toJSON(): { answer: string } & Record<string, unknown> }[];
    if (rows.length === 0) return;
    const changed = rows.map((row) => ({ ...row.toJSON(), ...withoutText(row.toJSON().answer) }));
    await table.mergeInsert("id").whenMatchedUpdateAll().execute(changed);
  }
};

/** In the form that `src/documents/ingest/idempotency.ts` stores. */
const withoutText = (answer: string): { answer: string; documentId: string } => {
  const { status, body } = JSON.parse(answer) as { status: number; body: { id: string; text?: string | null } };
  const text = body.text ?? null;
  const textHash = text === null ? null : createHash("sha256").update(text, "utf8").digest("hex");
  const kept = { textHash, status, body: { ...body, originalText: null, text: null } };
  return { answer: JSON.stringify(kept), documentId: body.id };
};
