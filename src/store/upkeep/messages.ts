import type { Erased, EraseRequest, Tidied, TidyRequest } from "./upkeep-work.ts";

/** Work that the upkeep process is asked for. */
export type UpkeepRequest = ({ readonly kind: "tidy" } & TidyRequest) | ({ readonly kind: "erase" } & EraseRequest);

/** What the server sends it. */
export type UpkeepQuestion = { readonly id: number } & UpkeepRequest;

/** What it answers: first that it is ready, then to each question once, in any order. */
export type UpkeepAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly id: number; readonly result: Tidied | Erased }
  | { readonly kind: "failed"; readonly id: number; readonly reason: string };
