import type { Backup } from "../../../shared/api.ts";
import { type Mood, RelativeTime, StateWord } from "../../components/facts.tsx";
import { ListTable } from "../../components/lists.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { sizeWords } from "../../components/words.ts";
import { useLoaded, useRun } from "../../state/loaded.ts";
import { toast } from "../../state/messages.ts";
import { client } from "../../state/session.ts";
import { settingsStrings as words } from "./strings.ts";

const everyMs = 10_000;
const moods: Record<Backup["status"], Mood> = { pending: "quiet", running: "wait", completed: "good", failed: "bad" };

/** Backups that were made, and making one. Shown where the server has settings of backups. */
export const BackupsSection = () => {
  const { value, error, reload } = useLoaded((stop) => client.get<Backup[]>("/api/backup", {}, stop), [], everyMs);
  const { failure, run } = useRun();
  const backUp = () =>
    run(async () => {
      await client.send("POST", "/api/backup", {});
      toast(words.backingUp);
      reload();
    });
  return (
    <section>
      <div class="actions">
        <h2>{words.backups}</h2>
        <button type="button" onClick={backUp}>
          {words.backUp}
        </button>
      </div>
      <FailureNote error={failure.value ?? (value === undefined ? error : null)} />
      {value?.length === 0 && <p class="quiet">{words.noBackups}</p>}
      {value !== undefined && value.length > 0 && (
        <ListTable
          columns={[
            words.backup.when,
            words.backup.status,
            ...[words.backup.documents, words.backup.size, words.backup.added].map((name) => (
              <th key={name} class="number">
                {name}
              </th>
            )),
            words.backup.target,
          ]}
        >
          {value.map((backup) => (
            <tr key={backup.id}>
              <td class="time">
                <RelativeTime at={backup.createdAt} />
              </td>
              <td class="name">
                <StateWord mood={moods[backup.status]}>{words.backupState[backup.status]}</StateWord>
                {backup.error !== null && (
                  <p class="quiet" dir="auto">
                    {backup.error}
                  </p>
                )}
              </td>
              <td class="number">{backup.documents?.toLocaleString()}</td>
              <td class="number">{sizeWords(backup.bytes)}</td>
              <td class="number">{sizeWords(backup.newBytes)}</td>
              <td class="name">{backup.target}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  );
};
