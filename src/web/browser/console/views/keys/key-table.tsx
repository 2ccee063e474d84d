import type { Key, Partition } from "../../../shared/api.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { session } from "../../state/session.ts";
import { keysStrings as words } from "./strings.ts";

interface KeyTableProps {
  keys: readonly Key[];
  partitions: readonly Partition[];
  onRevoke(key: Key): void;
}

export const KeyTable = ({ keys, partitions, onRevoke }: KeyTableProps) => (
  <div class="table-frame stacks">
    <table class="list key-table">
      <thead>
        <tr>
          <th>{words.name}</th>
          <th>{words.role}</th>
          <th>{words.partition}</th>
          <th>{words.user}</th>
          <th>{words.createdAt}</th>
          <th>{words.expires}</th>
          <th>
            <span class="unseen">{words.revoke}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td class="name">
              <bdi>{key.name}</bdi> {key.id === session.value?.id && <span class="chip">{words.own}</span>}
            </td>
            <td class="short">{words.roles[key.role]}</td>
            <td data-label={words.partition}>
              <bdi>{nameOf(key.partitionId, partitions)}</bdi>
            </td>
            <td data-label={words.user}>
              <bdi>{key.userId}</bdi>
            </td>
            <td class="time quiet" data-label={words.createdAt}>
              <RelativeTime at={key.createdAt} />
            </td>
            <td class="time" data-label={words.expires}>
              <Expiry at={key.expiresAt} />
            </td>
            <td>
              <div class="row-actions">
                <button
                  type="button"
                  class="quiet"
                  aria-label={words.revokeTitle(key.name)}
                  onClick={() => onRevoke(key)}
                >
                  {words.revoke}
                </button>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const nameOf = (id: string | null, partitions: readonly Partition[]): string =>
  id === null ? words.everything : (partitions.find((each) => each.id === id)?.name ?? id);

const Expiry = ({ at }: { at: string | null }) => {
  if (at === null) return <span class="quiet">{words.never}</span>;
  if (Date.parse(at) <= Date.now()) return <StateWord mood="bad">{words.expired}</StateWord>;
  return <RelativeTime at={at} />;
};
