import { useRoute } from "preact-iso";
import { RequestFailure } from "../../client.ts";
import { EmptyNote } from "../../components/empty-note.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { Loading } from "../../components/loading.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { DocumentPanes } from "./document-panes.tsx";
import { documentStrings as texts } from "./strings.ts";
import { useDocument } from "./use-document.ts";

/** A document: its text beside its original, how it was cut, and what is known of it. */
export const DocumentView = () => {
  const { params } = useRoute();
  const id = params.id ?? "";
  const { value, error, reload } = useDocument(id);
  if (error instanceof RequestFailure && error.status === 404)
    return (
      <>
        <ViewHeader title={texts.title} />
        <EmptyNote title={texts.gone}>
          <p>{texts.goneText}</p>
          <a class="button" href="/documents">
            {texts.back}
          </a>
        </EmptyNote>
      </>
    );
  if (value === undefined || value.document.id !== id)
    return (
      <>
        <ViewHeader title={texts.title} />
        {error === null ? <Loading /> : <FailureNote error={error} />}
      </>
    );
  return (
    <>
      <FailureNote error={error} onRetry={reload} />
      <DocumentPanes key={id} whole={value} />
    </>
  );
};
