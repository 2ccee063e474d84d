import type { DocumentStatus } from "../../../shared/api.ts";
import { type ListOrder, orders } from "./order/list-order.ts";

/** What the list of documents shows: the address of the view holds it, so that a reload and "back" keep it. */
export interface ListQuery {
  /** Text that the name contains; empty: any. */
  search: string;
  /** Empty: any. */
  partitionId: string;
  status: DocumentStatus | "";
  /** A metadata filter of the API, as JSON text; empty: none. */
  metadata: string;
  order: ListOrder;
  /** From 1. */
  page: number;
}

/** The most that the API gives at once. */
export const pageRows = 100;

export const statuses: readonly DocumentStatus[] = ["pending", "processing", "processed", "failed"];

export const wholeList: ListQuery = {
  search: "",
  partitionId: "",
  status: "",
  metadata: "",
  order: "newest",
  page: 1,
};

/** @param query as in the address; what is wrong there is left out */
export const readListQuery = (query: Readonly<Record<string, string>>): ListQuery => ({
  search: query.search ?? "",
  partitionId: query.partition ?? "",
  status: statuses.find((status) => status === query.state) ?? "",
  metadata: query.metadata ?? "",
  order: orders.find((order) => order === query.order) ?? wholeList.order,
  page: Math.max(1, Math.trunc(Number(query.page)) || 1),
});

/** The address of a list. */
export const listAddress = ({ search, partitionId, status, metadata, order, page }: ListQuery): string => {
  const values = {
    search,
    partition: partitionId,
    state: status,
    metadata,
    order: order === wholeList.order ? "" : order,
    page: page > 1 ? String(page) : "",
  };
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return given.length === 0 ? "/documents" : `/documents?${new URLSearchParams(given)}`;
};

/** The parameters of `GET /api/document`; it knows the orders by time alone. */
export const listRequest = ({
  search,
  partitionId,
  status,
  metadata,
  order,
  page,
}: ListQuery): Record<string, string | number> => ({
  searchValue: search,
  partitionId,
  status,
  metadata,
  sortOrder: order === "oldest" ? "asc" : "",
  limit: pageRows,
  skip: (page - 1) * pageRows,
});

/** Whether only some of the documents are asked for. */
export const isFiltered = ({ search, partitionId, status, metadata }: ListQuery): boolean =>
  [search, partitionId, status, metadata].some((value) => value !== "");

/** The documents that a list is of, whatever its order and page: what was selected of them stays selected. */
export const filtersOf = (query: ListQuery): string => listAddress({ ...query, order: wholeList.order, page: 1 });
