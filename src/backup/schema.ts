import { type Static, Type } from "@sinclair/typebox";
import { isoTime } from "../domain/times.ts";
import { choiceField, nullable, timeField } from "../http/schema/fields.ts";
import { textField } from "../http/schema/text-field.ts";
import type { BackupRecord } from "./journal.ts";

export const backupBody = Type.Object({
  target: Type.Optional(
    nullable(
      textField({
        maxLength: 4_096,
        blank: false,
        description:
          "Absolute path of a folder, or `s3://bucket/prefix`, in place of `backup.path`. Only on the operator's socket.",
      }),
    ),
  ),
});

export const backupSchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the backup, for `carrel restore --backup`." }),
    createdAt: timeField("When it was requested, or scheduled."),
    markedAt: nullable(timeField("The moment whose state it holds: what was acknowledged before is in it.")),
    finishedAt: nullable(timeField("When it was completed, or failed.")),
    status: choiceField(["pending", "running", "completed", "failed"], {
      description: "`pending`: it waits for the backup that is running.",
    }),
    bytes: Type.Integer({ description: "Bytes that a restore writes; while it runs, those done so far." }),
    newBytes: Type.Integer({ description: "Bytes that were written to the target; the rest was there already." }),
    documents: nullable(Type.Integer({ description: "Documents in it." })),
    target: Type.String({ description: "Folder or bucket that it is in." }),
    error: nullable(Type.String({ description: "Why it failed." })),
  },
  { $id: "Backup", description: "A backup of the whole store." },
);

const timeOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : isoTime(epochMs));

export const backupJson = (record: BackupRecord): Static<typeof backupSchema> => ({
  id: record.id,
  createdAt: isoTime(record.createdAt),
  markedAt: timeOrNull(record.markedAt),
  finishedAt: timeOrNull(record.finishedAt),
  status: record.status,
  bytes: record.bytes,
  newBytes: record.newBytes,
  documents: record.documents,
  target: record.target,
  error: record.error,
});

export const backupExample: Static<typeof backupSchema> = {
  id: "0197a1c2-9e40-7b52-8f13-6a0d2c4e8b17",
  createdAt: "2026-01-31T03:00:00.000Z",
  markedAt: "2026-01-31T03:00:00.412Z",
  finishedAt: "2026-01-31T03:00:21.007Z",
  status: "completed",
  bytes: 1_482_113_024,
  newBytes: 22_020_096,
  documents: 5_410,
  target: "s3://backups/carrel",
  error: null,
};
