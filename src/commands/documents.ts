import type { Environment } from "../program/environment.ts";
import { type ClientOptions, withClient } from "./client/client.ts";
import { deleteRecord, findDocumentId, needPartition, readPages } from "./client/named-records.ts";
import { table } from "./output/output.ts";

/** A document as the API lists it. */
interface Listed {
  id: string;
  name: string;
  status: string;
  createdAt: string;
}

interface ListOptions extends ClientOptions {
  partition?: string;
}

/** `carrel list`: every document of the organization or of a partition, newest first, written page by page. */
export const listDocuments = (options: ListOptions, environment: Environment): Promise<void> =>
  withClient(options, environment, async (client) => {
    const { write } = environment;
    const { partition } = options;
    const query = partition === undefined ? {} : { partitionId: (await needPartition(client, partition)).id };
    let count = 0;
    for await (const page of readPages<Listed>(client, "/api/document", query)) {
      if (options.json === true) {
        for (const document of page) {
          write(`${count === 0 ? "[\n" : ",\n"}${JSON.stringify(document)}`);
          count += 1;
        }
        continue;
      }
      // Names are last: they alone are of any length.
      const rows = page.map(({ id, status, createdAt, name }) => [id, status, createdAt, name]);
      const lines = table(["ID".padEnd(36), "STATUS".padEnd(10), "ADDED".padEnd(24), "NAME"], rows);
      write(count === 0 ? lines : lines.slice(lines.indexOf("\n") + 1));
      count += page.length;
    }
    if (options.json === true) write(count === 0 ? "[]\n" : "\n]\n");
    else if (count === 0)
      environment.writeError(
        `There are no documents ${partition === undefined ? "" : "in this partition "}yet: \`carrel ingest\` adds files, folders and web addresses.\n`,
      );
  });

/** `carrel delete`: questions no longer find the document when it ends. */
export const deleteDocument = (nameOrId: string, options: ClientOptions, environment: Environment): Promise<void> =>
  deleteRecord(
    { path: "/api/document", findId: (client) => findDocumentId(client, nameOrId), done: "Deleted" },
    options,
    environment,
  );
