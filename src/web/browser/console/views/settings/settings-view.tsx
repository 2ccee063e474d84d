import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { Backup, Setting, Settings } from "../../../shared/api.ts";
import { typeInto } from "../../../shared/controls.tsx";
import { type Mood, RelativeTime, StateWord } from "../../components/facts.tsx";
import { ListTable } from "../../components/lists.tsx";
import { EmptyNote, FailureNote, Loading } from "../../components/notes.tsx";
import { AdminsOnly } from "../../components/rights.tsx";
import { Tabs, ViewHeader } from "../../components/view-header.tsx";
import { sizeWords } from "../../components/words.ts";
import { RequestFailure } from "../../state/client.ts";
import { useLoaded, useRun } from "../../state/loaded.ts";
import { toast } from "../../state/messages.ts";
import { client, isOperator } from "../../state/session.ts";
import { AuditTab } from "./audit-tab.tsx";
import { HealthSection } from "./health-section.tsx";
import { JobsSection, PartsSection, StorageSection, VectorsSection } from "./server-sections.tsx";
import { settingsStrings as words } from "./strings.ts";
import { WebhooksTab } from "./webhooks-tab.tsx";

const everyMs = 10_000;
const moods: Record<Backup["status"], Mood> = { pending: "quiet", running: "wait", completed: "good", failed: "bad" };

/** Backups that were made, and making one. Shown where the server has settings of backups. */
const BackupsSection = () => {
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

/** A value as it stands in the file. */
const valueWords = (value: unknown): string => {
  if (value === null) return words.notSet;
  if (Array.isArray(value)) return value.length === 0 ? words.none : value.map(itemWords).join("\n");
  return String(value);
};

const itemWords = (item: unknown): string =>
  typeof item === "object" && item !== null
    ? Object.entries(item)
        .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
        .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`)
        .join(", ")
    : String(item);

const fits = ({ name, variable, description }: Setting, typed: string): boolean =>
  `${name} ${variable} ${description}`.toLowerCase().includes(typed.toLowerCase());

/** Every setting in force: its value, where it comes from, what it does. */
const SettingTable = ({ settings, file }: { settings: readonly Setting[]; file: string | null }) => {
  const typed = useSignal("");
  const isChangedOnly = useSignal(false);
  const shown = settings.filter(
    (setting) => fits(setting, typed.value.trim()) && !(isChangedOnly.value && setting.source === "default"),
  );
  return (
    <div class="setting-table">
      <div class="actions">
        <input type="search" aria-label={words.filter} placeholder={words.filter} onInput={typeInto(typed)} />
        <label class="choice">
          <input
            type="checkbox"
            onChange={(event) => {
              isChangedOnly.value = event.currentTarget.checked;
            }}
          />
          {words.changedOnly}
        </label>
      </div>
      <p class="quiet">
        {words.changeHint} {file === null ? words.noFile : words.readFrom} {file !== null && <code>{file}</code>}
      </p>
      {shown.length === 0 ? (
        <p class="quiet" role="status">
          {words.nothingFound}
        </p>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th>{words.setting}</th>
              <th>{words.value}</th>
              <th>{words.from}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((setting) => (
              <SettingRow key={setting.name} setting={setting} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
};

const SettingRow = ({ setting }: { setting: Setting }) => {
  const { name, variable, value, source, where, description, hidden } = setting;
  const isDefault = JSON.stringify(value) === JSON.stringify(setting.default);
  const text = hidden ? words.hidden : valueWords(value);
  return (
    <tr class={source === "default" ? "" : "was-set"}>
      <td class="name">
        <code>{name}</code>
        <p class="quiet">{description}</p>
      </td>
      <td class="name">
        {hidden || value === null || text === words.none ? <span class="quiet">{text}</span> : <code>{text}</code>}
        {!isDefault && !hidden && source !== "default" && (
          <p class="quiet">{words.isDefault(valueWords(setting.default))}</p>
        )}
      </td>
      <td title={words.setBy(variable)}>
        {source === "default" ? <span class="quiet">{words.defaultSource}</span> : <code>{where}</code>}
      </td>
    </tr>
  );
};

const tabs = (["server", "settings", "webhooks", "audit"] as const).map((id) => ({ id, label: words.tabs[id] }));

/** How the server is and what is in force on it, for admins of the whole organization. Most of it for those of the first. */
export const SettingsView = () => {
  const { query, route } = useLocation();
  const selected = tabs.find(({ id }) => id === query.tab)?.id ?? "server";
  if (!isOperator()) return <AdminsOnly title={words.title} who={words.adminsOnly} instead={words.askAdmin} />;
  return (
    <>
      <ViewHeader title={words.title} />
      <Tabs
        label={words.tabsLabel}
        tabs={tabs}
        selected={selected}
        onSelect={(id) => route(`/settings?tab=${id}`, true)}
      >
        <Selected tab={selected} />
      </Tabs>
    </>
  );
};

/** An admin of another organization than the first: only what is of its own is shown to it. */
const isOfOther = (error: unknown): boolean =>
  error instanceof RequestFailure && error.problem.code === "organization_forbidden";

const OtherOrganization = () => (
  <EmptyNote title={words.otherOrganizationTitle}>
    <p>{words.otherOrganization}</p>
  </EmptyNote>
);

const Selected = ({ tab }: { tab: (typeof tabs)[number]["id"] }) =>
  tab === "audit" ? <AuditTab /> : <FromSettings tab={tab} />;

const FromSettings = ({ tab }: { tab: "server" | "settings" | "webhooks" }) => {
  const { value, error, reload } = useLoaded((stop) => client.get<Settings>("/api/settings", {}, stop));
  if (isOfOther(error)) return tab === "webhooks" ? <WebhooksTab settings={null} /> : <OtherOrganization />;
  if (value === undefined) return error === null ? <Loading /> : <FailureNote error={error} onRetry={reload} />;
  const isSet = (name: string) => value.settings.some((setting) => setting.name.startsWith(name));
  if (tab === "settings") return <SettingTable settings={value.settings} file={value.file} />;
  if (tab === "webhooks") return <WebhooksTab settings={value.settings} />;
  return (
    <div class="settings-sections">
      <HealthSection />
      <PartsSection parts={value.parts} />
      <VectorsSection />
      <JobsSection />
      <StorageSection />
      {isSet("backup.") && <BackupsSection />}
      <p class="quiet">{words.version(value.version)}</p>
    </div>
  );
};
