import { declaredEndpoints } from "../declared-endpoints.ts";
import { openApiDocument } from "../http/openapi-document.ts";
import { version } from "../version.ts";
import type { Surroundings } from "./surroundings.ts";

/** The OpenAPI document of this version, as `/openapi.json` has it, indented. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(declaredEndpoints(), version), null, 2)}\n`;

/** `carrel openapi`: prints the document; neither a server nor a store is needed. */
export const openapi = ({ write }: Pick<Surroundings, "write">): void => write(openApiText());
