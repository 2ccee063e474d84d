import { Type } from "@sinclair/typebox";
import type { Partition } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { choiceField, pagingFields, partitionNameField, searchField, timeField } from "../http/schema/fields.ts";

export const partitionBody = Type.Object(
  {
    name: partitionNameField(
      "Name of the partition, 1 to 255 characters; white space around it is dropped. Case matters.",
      ["Handbook"],
    ),
  },
  { $id: "PartitionRequest" },
);

export const partitionSearchQuery = Type.Object({
  ...pagingFields,
  searchValue: searchField("Partitions whose name holds this, in any case."),
});

export const partitionDeleteQuery = Type.Object({
  documents: Type.Optional(
    choiceField(["delete", "detach"], {
      description:
        "What happens to its documents: `delete` removes them, `detach` keeps them without a partition. Without it, a partition that holds documents is not deleted.",
    }),
  ),
});

export const partitionSchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the partition." }),
    name: Type.String({ description: "Unique within the organization." }),
    organizationId: Type.String({ description: "Organization it belongs to." }),
    createdAt: timeField("When it was created."),
    documents: Type.Integer({ description: "How many documents it holds." }),
  },
  { $id: "Partition", description: "A collection of documents." },
);

export const partitionExample = {
  id: "0198c5a0-7c1e-7d53-9f5b-2f1f6c0c9a10",
  name: "Handbook",
  organizationId: "0198c59f-11aa-7b22-8a40-6f0e3f0f7a01",
  createdAt: "2026-01-31T09:30:00.000Z",
  documents: 12,
};

/** A partition with the number of its documents, as answers show it. */
export const partitionJson = ({
  id,
  name,
  organizationId,
  createdAt,
  documents,
}: Partition & { documents: number }) => ({
  id,
  name,
  organizationId,
  createdAt: isoTime(createdAt),
  documents,
});
