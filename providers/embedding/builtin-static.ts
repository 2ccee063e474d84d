/** Whether this is the built-in table that makes the vectors of the search index. */
export const isBuiltinStatic = ({ provider, model }: { provider: string; model: string }): boolean =>
  provider === "builtin" && model === "static";
