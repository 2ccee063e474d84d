import { ViewHeader } from "../../components/view-header.tsx";

export const DocumentsView = () => <ViewHeader title="Documents" />;
