/** One page of a list, and how many there are in all. */
export interface Page<T> {
  items: T[];
  total: number;
}

export interface Paging {
  limit: number;
  skip: number;
  sortOrder: "asc" | "desc";
}
