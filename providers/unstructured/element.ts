import { type Static, Type } from "@sinclair/typebox";

/** Of a page or a depth: no document has more. */
const maxNumber = 1_000_000;

/** The part of an element that is used; the server sends more. */
export const elementSchema = Type.Object({
  type: Type.String(),
  text: Type.String(),
  metadata: Type.Object({
    filetype: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    page_number: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: maxNumber }), Type.Null()])),
    page_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    category_depth: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: maxNumber }), Type.Null()])),
    text_as_html: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    subject: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    sent_from: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    sent_to: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  }),
});
export type Element = Static<typeof elementSchema>;
