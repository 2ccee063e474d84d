import { version } from "../domain/version.ts";
import { openApiDocument } from "../http/docs/openapi-document.ts";
import { declaredEndpoints } from "../program/declared-endpoints.ts";
import type { Environment } from "../program/environment.ts";

/** The OpenAPI document of this version, as `/openapi.json` has it, indented. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(declaredEndpoints(), version), null, 2)}\n`;

/** `carrel openapi`: prints the document; neither a server nor a store is needed. */
export const openapi = ({ write }: Pick<Environment, "write">): void => write(openApiText());
