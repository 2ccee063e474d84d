import { writeJsonSchema } from "../../config/write-json-schema.ts";
import type { Environment } from "../program/environment.ts";

/** `carrel schema`: prints the JSON Schema of the settings, for editors. */
export const printSchema = ({ write }: Pick<Environment, "write">): void => write(writeJsonSchema());
