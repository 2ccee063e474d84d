import { ViewHeader } from "../../components/view-header.tsx";

export const AskView = () => <ViewHeader title="Ask" />;
