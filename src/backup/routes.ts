import { type Static, Type } from "@sinclair/typebox";
import { ApiError } from "../domain/errors.ts";
import { isoTime } from "../domain/times.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse, listResponse } from "../http/respond.ts";
import { choiceField, nullable, pagingQuery, timeField, toPaging } from "../http/schema/fields.ts";
import { textField } from "../http/schema/text-field.ts";
import type { Backups } from "./backups.ts";
import type { BackupRecord } from "./journal.ts";
import { BackupFailure } from "./target/target.ts";

const backupBody = Type.Object({
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

const backupJson = (record: BackupRecord): Static<typeof backupSchema> => ({
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

const backupExample: Static<typeof backupSchema> = {
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

const pendingExample = {
  ...backupExample,
  status: "pending" as const,
  markedAt: null,
  finishedAt: null,
  bytes: 0,
  newBytes: 0,
  documents: null,
};

/** `/api/backup`: backups of the whole store, over all organizations. */
export const backupEndpoints = ({ backups }: { backups: Backups }): Endpoint[] =>
  [
    endpoint({
      method: "POST",
      path: "/api/backup",
      operationId: "startBackup",
      access: "admin",
      wholeServer: true,
      tag: "Operation",
      summary: "Make a backup",
      description:
        "Starts a backup of the whole store to `backup.path` and answers at once; the server keeps working. `GET /api/backup` shows its progress and its result. If a backup is running already, this one follows it.",
      body: backupBody,
      responses: { 202: backupSchema },
      errors: ["backup_refused", "role_forbidden"],
      example: { request: {}, response: pendingExample },
      async handle({ principal, body, audited }) {
        const target = body.target ?? null;
        // A key would otherwise write to any folder of the machine.
        if (target !== null && principal.keyId !== null)
          throw new ApiError(
            "role_forbidden",
            "Only `carrel backup TARGET` on the machine itself chooses a target; leave it out for backup.path.",
          );
        const change = { action: "backup.created", targetId: null, details: {} } as const;
        const record = await audited(change, () =>
          backups.start(target).catch((error: unknown) => {
            throw error instanceof BackupFailure ? new ApiError("backup_refused", error.message) : error;
          }),
        );
        return jsonResponse(backupJson(record), { status: 202 });
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/backup",
      ofWriter: true,
      operationId: "listBackups",
      access: "admin",
      wholeServer: true,
      tag: "Operation",
      summary: "List backups",
      description:
        "Newest first: requested and scheduled backups, their status, and why one failed. `X-Total-Count` holds the number of all. Backups that `backup.keep` removed are not listed.",
      query: pagingQuery,
      responses: { 200: Type.Array(backupSchema) },
      errors: [],
      example: { response: [backupExample] },
      handle: ({ query }) => listResponse(backups.list(toPaging(query)), backupJson),
    }),
  ] as Endpoint[];
