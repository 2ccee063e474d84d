import { type Static, Type } from "@sinclair/typebox";
import { createGate } from "../async/keyed-mutex.ts";
import { isoTime } from "../domain/times.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { choiceField, nullable, timeField } from "../http/schema/fields.ts";
import type { Logger } from "../log/log.ts";
import type { CheckProgress, CheckReport, Store } from "../store/contract.ts";
import type { Checkup, Finding } from "./checkup.ts";

const damageSchema = Type.Object(
  {
    kind: choiceField(["row", "table", "index", "file", "secret"]),
    where: Type.String({ description: "The table, or the path in the data directory." }),
    id: nullable(Type.String({ description: "Of the record or file; null where it cannot be told." })),
    organizationId: nullable(Type.String()),
    belongsTo: nullable(Type.String({ description: "The document or chat that it is of." })),
    detail: Type.String({ description: "What is wrong with it." }),
    foundAt: timeField("When it was found first."),
  },
  { $id: "Damage", description: "Something stored that is not as it was written." },
);

const checkReportSchema = Type.Object(
  {
    kind: Type.Literal("report"),
    checkedAt: timeField("When the check ended."),
    rows: Type.Integer({ description: "Rows that were read." }),
    files: Type.Integer({ description: "Stored files that were read." }),
    bytes: Type.Integer({ description: "Bytes of files that were compared." }),
    damage: Type.Array(damageSchema, { description: "Empty where all is as it was written." }),
  },
  { $id: "CheckReport", description: "What a check of the whole store found: the last line." },
);

const progressSchema = Type.Object({
  kind: Type.Literal("progress"),
  where: Type.String({ description: "The table that is read, or `files`." }),
  rows: Type.Integer(),
  bytes: Type.Integer(),
});

const errorSchema = Type.Object({ kind: Type.Literal("error"), detail: Type.String() });

/** A line of the answer. */
export type CheckLine = Static<typeof checkReportSchema> | Static<typeof progressSchema> | Static<typeof errorSchema>;

/** The report as the API and `carrel check --json` give it. */
export const checkReportJson = ({ checkedAt, damage, ...counted }: CheckReport): Static<typeof checkReportSchema> => ({
  kind: "report",
  checkedAt: isoTime(checkedAt),
  ...counted,
  damage: damage.map(({ foundAt, ...found }) => ({ ...found, foundAt: isoTime(foundAt) })),
});

/** Lines of progress: so many a second at most. */
const progressEveryMs = 250;

/** `/api/check`: reads the whole store. */
export const checkEndpoints = ({ store, log }: { store: Store; log: Logger }): Endpoint[] => {
  const oneAtATime = createGate();

  const lines = (signal: AbortSignal): ReadableStream<Uint8Array> => {
    const encoder = new TextEncoder();
    const gone = new AbortController();
    return new ReadableStream({
      async start(controller) {
        const send = (line: CheckLine): void => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        let sentAt = 0;
        const onProgress = (progress: CheckProgress): void => {
          if (performance.now() - sentAt < progressEveryMs) return;
          sentAt = performance.now();
          send({ kind: "progress", ...progress });
        };
        const either = AbortSignal.any([signal, gone.signal]);
        try {
          send(checkReportJson(await oneAtATime.exclusive(() => store.damage.check(onProgress, either))));
        } catch (error) {
          if (gone.signal.aborted) return;
          if (!signal.aborted) log.error({ err: error }, "the check of the store failed");
          const detail = signal.aborted ? "The server is stopping." : "The check failed: see the log.";
          send({ kind: "error", detail });
        }
        controller.close();
      },
      cancel: () => gone.abort(),
    });
  };

  return [
    endpoint({
      method: "POST",
      path: "/api/check",
      operationId: "checkStore",
      access: "admin",
      wholeServer: true,
      tag: "Operation",
      summary: "Read the whole store, and say what is damaged",
      description:
        "Reads every row, file and index, and compares them with their checksums, while the server keeps working: what `carrel check` does. NDJSON: lines of progress, then the report; `error` in its place where the check could not be ended. Indexes that are damaged are made again. With a key of role `admin` of the organization `default` that is not limited to a partition.",
      responses: {
        200: {
          mediaType: "application/x-ndjson",
          description: "Progress, then the report.",
          item: Type.Union([progressSchema, checkReportSchema, errorSchema], { $id: "CheckLine" }),
        },
      },
      errors: ["key_limited", "organization_forbidden"],
      handle: ({ signal }) =>
        new Response(lines(signal), {
          headers: { "content-type": "application/x-ndjson", "x-accel-buffering": "no" },
        }),
    }),
  ] as Endpoint[];
};

const findingSchema = Type.Object(
  {
    check: Type.String({ description: "What was looked at, such as `memory`." }),
    status: choiceField(["ok", "warning", "failed"], {
      description: "`failed`: it does not work, or not as configured. `warning`: it works, and may not for long.",
    }),
    detail: Type.String({ description: "What was found." }),
    fix: nullable(Type.String({ description: "What to do; null where nothing is to be done." })),
  },
  { $id: "Finding", description: "What one check found." },
);

const reportSchema = Type.Object(
  {
    checkedAt: timeField("When the checks were made."),
    findings: Type.Array(findingSchema, { description: "In the order in which a person would look." }),
  },
  { $id: "DoctorReport", description: "What `carrel doctor` says of this server." },
);

const found: Finding[] = [
  { check: "memory", status: "ok", detail: "Carrel may use 4000 MB, 2100 MB are free now.", fix: null },
  {
    check: "backup",
    status: "warning",
    detail: "There is no backup.",
    fix: "Set backup.path and backup.every, or run `carrel backup TARGET`.",
  },
];

const example: Static<typeof reportSchema> = { checkedAt: "2026-01-31T09:30:00.000Z", findings: found };

/** `/api/doctor`: the checks of `carrel doctor`, made by the server that runs. */
export const doctorEndpoints = ({ checkup }: { checkup: Checkup }): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/doctor",
      operationId: "examineServer",
      access: "admin",
      wholeServer: true,
      tag: "Operation",
      summary: "What carrel doctor finds",
      description:
        "Makes the checks of `carrel doctor` with the settings in force: machine, data folder, certificate, clock, models, parser, backups. It takes as long as the slowest one, at most half a minute; a check that takes longer is a finding. For five seconds, the last report is given again. With a key of role `admin` of the organization `default` that is not limited to a partition.",
      responses: { 200: reportSchema },
      errors: [],
      example: { response: example },
      async handle({ signal }) {
        const { checkedAt, findings } = await checkup.report(signal);
        return { checkedAt: isoTime(checkedAt), findings };
      },
    }),
  ] as Endpoint[];
