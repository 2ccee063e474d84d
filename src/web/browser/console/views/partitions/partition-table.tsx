import { useLocation } from "preact-iso";
import type { Partition } from "../../../shared/api.ts";
import { MoreMenu } from "../../components/menu.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { mayWrite } from "../../state/session.ts";
import { partitionsStrings as words } from "./strings.ts";

interface PartitionTableProps {
  partitions: readonly Partition[];
  onRename(partition: Partition): void;
  onDelete(partition: Partition): void;
}

/** The documents of a partition, as the documents view filters them. */
const documentsOf = ({ id }: Partition): string => `/documents?partitionId=${encodeURIComponent(id)}`;

export const PartitionTable = ({ partitions, onRename, onDelete }: PartitionTableProps) => {
  const { route } = useLocation();
  const menuOf = (partition: Partition) => [
    { label: words.open, run: () => route(documentsOf(partition)) },
    ...(mayWrite()
      ? [
          { label: words.rename, run: () => onRename(partition) },
          { label: words.remove, isDangerous: true, run: () => onDelete(partition) },
        ]
      : []),
  ];
  return (
    <div class="table-frame">
      <table class="list">
        <thead>
          <tr>
            <th>{words.name}</th>
            <th class="number">{words.documents}</th>
            <th>{words.created}</th>
            <th>
              <span class="unseen">{words.actions("")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {partitions.map((partition) => (
            <tr key={partition.id}>
              <td class="name">
                <a href={documentsOf(partition)}>
                  <bdi>{partition.name}</bdi>
                </a>
              </td>
              <td class="number">{partition.documents.toLocaleString()}</td>
              <td class="time quiet">
                <RelativeTime at={partition.createdAt} />
              </td>
              <td>
                <div class="row-actions">
                  <MoreMenu label={words.actions(partition.name)} items={menuOf(partition)} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
