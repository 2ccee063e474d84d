/** One page of a list, and the number of items in the whole list. */
export interface Page<T> {
  items: T[];
  total: number;
}

export interface Paging {
  limit: number;
  skip: number;
  sortOrder: "asc" | "desc";
}
