import { ViewHeader } from "../../components/view-header.tsx";

export const DocumentView = () => <ViewHeader title="Document" />;
