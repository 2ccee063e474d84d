import { useLocation } from "preact-iso";
import type { Settings } from "../../../shared/api.ts";
import { EmptyNote, FailureNote, Loading } from "../../components/notes.tsx";
import { AdminsOnly } from "../../components/rights.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { RequestFailure } from "../../state/client.ts";
import { useLoaded } from "../../state/loaded.ts";
import { client, isOperator } from "../../state/session.ts";
import { AuditTab } from "./audit-tab.tsx";
import { BackupsSection } from "./backups-section.tsx";
import { HealthSection } from "./health-section.tsx";
import { JobsSection, PartsSection, StorageSection, VectorsSection } from "./server-sections.tsx";
import { SettingTable } from "./setting-table.tsx";
import { settingsStrings as words } from "./strings.ts";
import { WebhooksTab } from "./webhooks-tab.tsx";

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
