/** The types of the API: those of the TypeScript client, which are made from the OpenAPI document. */
export type * from "../../../../clients/typescript/src/api.ts";
