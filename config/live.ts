import type { TSchema } from "@sinclair/typebox";

/** A symbol: it does not get into the JSON Schema. */
const liveMark = Symbol("live");

/**
 * A setting that can change while the server runs: code that uses it reads it from the configuration at each use, and
 * keeps no copy.
 */
export const live = <T extends TSchema>(schema: T): T => ({ ...schema, [liveMark]: true });

export const isLiveSchema = (schema: TSchema): boolean => (schema as { [liveMark]?: boolean })[liveMark] === true;
