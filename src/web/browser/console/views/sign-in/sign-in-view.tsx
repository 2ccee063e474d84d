import { ViewHeader } from "../../components/view-header.tsx";

export const SignInView = () => <ViewHeader title="Carrel" />;
