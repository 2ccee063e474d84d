import { ViewHeader } from "../../components/view-header.tsx";

export const SettingsView = () => <ViewHeader title="Settings" />;
