import { ViewHeader } from "../../components/view-header.tsx";

export const ChatsView = () => <ViewHeader title="Chats" />;
