import { ViewHeader } from "../../components/view-header.tsx";

export const PartitionsView = () => <ViewHeader title="Partitions" />;
