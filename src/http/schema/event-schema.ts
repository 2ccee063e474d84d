import { type TSchema, type TUnsafe, Type } from "@sinclair/typebox";

/**
 * One of several server-sent events: its lines `event` and `data`.
 * @param id name in the OpenAPI document @param events name of each event -> what its data is, as JSON
 */
export const eventSchema = (id: string, events: Record<string, TSchema>): TUnsafe<unknown> => {
  const kinds = Object.entries(events).map(([name, data]) =>
    Type.Object({
      event: Type.Literal(name),
      data: Type.String({ contentMediaType: "application/json", contentSchema: data }),
    }),
  );
  return Type.Unsafe({ ...(kinds.length === 1 ? kinds[0] : Type.Union(kinds)), $id: id });
};
