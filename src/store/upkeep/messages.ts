import type { Erased, EraseRequest, Tidied, TidyRequest } from "./upkeep-work.ts";

/** What the server asks the upkeep process. */
export type UpkeepQuestion = { readonly id: number } & (
  | ({ readonly kind: "tidy" } & TidyRequest)
  | ({ readonly kind: "erase" } & EraseRequest)
);

/** What it answers: first that it is ready, then to each question once, in any order. */
export type UpkeepAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly id: number; readonly result: Tidied | Erased }
  | { readonly kind: "failed"; readonly id: number; readonly reason: string };
