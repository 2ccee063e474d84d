import { type Static, Type } from "@sinclair/typebox";
import { isoTime } from "../domain/times.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { choiceField, nullable, timeField } from "../http/schema/fields.ts";
import type { Checkup, Finding } from "./checkup.ts";

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
