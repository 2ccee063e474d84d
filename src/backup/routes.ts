import { Type } from "@sinclair/typebox";
import { ApiError } from "../domain/errors.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse, listResponse } from "../http/respond.ts";
import { pagingQuery, toPaging } from "../http/schema/fields.ts";
import type { Backups } from "./backups.ts";
import { backupBody, backupExample, backupJson, backupSchema } from "./schema.ts";
import { BackupFailure } from "./target/target.ts";

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
