import { ViewHeader } from "../../components/view-header.tsx";

export const KeysView = () => <ViewHeader title="Keys" />;
