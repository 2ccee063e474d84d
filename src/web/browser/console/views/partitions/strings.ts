/** Texts of the partitions view. */
export const partitionsStrings = {
  title: "Partitions",
  create: "New partition",
  name: "Name",
  documents: "Documents",
  created: "Created",
  search: "Search by name",
  actions: (name: string) => `Actions for ${name}`,
  open: "Show its documents",
  rename: "Rename",
  remove: "Delete",
  createSubmit: "Create",
  renameSubmit: "Rename",
  renameTitle: (name: string) => `Rename “${name}”`,
  removeTitle: (name: string) => `Delete “${name}”`,
  removeEmpty: "It holds no documents. Chats and keys that are limited to it will find nothing.",
  removeQuestion: (count: number) =>
    count === 1
      ? "It holds one document. What becomes of it?"
      : `It holds ${count.toLocaleString()} documents. What becomes of them?`,
  detach: "Keep them, outside of any partition",
  erase: "Delete them too. This cannot be undone.",
  createdNote: (name: string) => `Partition “${name}” created`,
  existed: (name: string) => `There is a partition “${name}” already`,
  renamed: (name: string) => `Renamed to “${name}”`,
  removed: (name: string) => `Partition “${name}” deleted`,
  emptyTitle: "No partitions yet",
  empty:
    "A partition is a collection of documents, such as a team's handbook. Questions, chats and keys can be limited to one.",
  nothingFound: "No partition is called so.",
  hint: "Up to 255 characters. An ingest names the partition and creates it where it is missing.",
};
