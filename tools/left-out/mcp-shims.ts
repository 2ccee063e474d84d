// In place of `@modelcontextprotocol/server/_shims`, which brings ajv: arguments are checked by our own schemas
// (src/mcp/server.ts), and servers ask clients for nothing that would have to be checked.
export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("a schema was given without its validator");
  }
}
