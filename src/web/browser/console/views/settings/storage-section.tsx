import type { StorageUse } from "../../../shared/api.ts";
import { FailureNote } from "../../components/failure-note.tsx";
import { sizeWords } from "../../components/time-words.ts";
import { client } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { settingsStrings as words } from "./strings.ts";

/** What the data takes on the disk. */
export const StorageSection = () => {
  const { value, error } = useLoaded((stop) => client.get<StorageUse>("/api/settings/storage", {}, stop));
  return (
    <section>
      <h2>{words.storage}</h2>
      {value === undefined ? (
        <FailureNote error={error} />
      ) : (
        <>
          <dl class="figures">
            {(["tables", "files", "other", "free"] as const).map((what) => {
              const bytes = value[what];
              return (
                bytes !== null && (
                  <div key={what}>
                    <dt class="quiet">{words[what]}</dt>
                    <dd>{sizeWords(bytes)}</dd>
                  </div>
                )
              );
            })}
          </dl>
          {value.partial && <p class="quiet">{words.partial}</p>}
        </>
      )}
    </section>
  );
};
