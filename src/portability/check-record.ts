import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { ApiError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/records.ts";
import { checkObject } from "../text/json-object.ts";
import { maxLineBytes } from "./entry.ts";
import {
  chatSchema,
  documentSchema,
  type ExportedRecord,
  type Kind,
  type Manifest,
  manifestSchema,
  messageSchema,
  partitionSchema,
} from "./format.ts";

/** What is wrong with a record, in words; the value itself is not repeated. */
export class RecordFault extends Error {
  override readonly name = "RecordFault";
}

/** Faults that one message names. */
const maxFaults = 5;

const checks: Record<Kind, TypeCheck<TSchema>> = {
  partition: TypeCompiler.Compile<TSchema>(partitionSchema),
  document: TypeCompiler.Compile<TSchema>(documentSchema),
  chat: TypeCompiler.Compile<TSchema>(chatSchema),
  message: TypeCompiler.Compile<TSchema>(messageSchema),
};
const manifestCheck = TypeCompiler.Compile<TSchema>(manifestSchema);

const nameOf = (pointer: string): string => pointer.split("/").slice(1).join(".").slice(0, 200);

const faultsOf = (check: TypeCheck<TSchema>, value: unknown): string => {
  const faults = new Map<string, string>();
  for (const { path, message } of check.Errors(value)) {
    const name = nameOf(path);
    if (!faults.has(name)) faults.set(name, `${name === "" ? "it" : name}: ${message}`);
    if (faults.size === maxFaults) break;
  }
  return [...faults.values()].join("; ");
};

/** @throws RecordFault that names the fields */
export const checkRecord = <K extends Kind>(kind: K, value: unknown): ExportedRecord[K] => {
  if (!checks[kind].Check(value)) throw new RecordFault(faultsOf(checks[kind], value));
  const times = value as { createdAt: string; updatedAt?: string };
  for (const name of ["createdAt", "updatedAt"] as const)
    if (times[name] !== undefined && Number.isNaN(Date.parse(times[name])))
      throw new RecordFault(`${name}: there is no such time`);
  checkObjects(value as Partial<ExportedRecord[Kind]>);
  return value as ExportedRecord[K];
};

/** A source holds the metadata of its document and more; the line has a limit of its own. */
const sourceLimits = { maxBytes: maxLineBytes, maxDepth: 100 };

/** The free-form objects of a record, within the limits of the API. */
const checkObjects = (record: Partial<ExportedRecord[Kind]>): void => {
  try {
    if ("metadata" in record) checkObject("metadata", (record.metadata ?? {}) as JsonObject);
    if ("brandSettings" in record) checkObject("brandSettings", (record.brandSettings ?? {}) as JsonObject);
    if ("sourceDocuments" in record)
      for (const { metadata } of record.sourceDocuments ?? [])
        checkObject("sourceDocuments", metadata as JsonObject, sourceLimits);
  } catch (error) {
    throw error instanceof ApiError ? new RecordFault(error.message.replace(/\.$/, "")) : error;
  }
};

/** @throws RecordFault that names the fields */
export const checkManifest = (value: unknown): Manifest => {
  if (!manifestCheck.Check(value)) throw new RecordFault(faultsOf(manifestCheck, value));
  return value as Manifest;
};
