import { useSignal } from "@preact/signals";
import { X } from "lucide";
import { useEffect } from "preact/hooks";
import type { Feedback } from "../../../shared/api.ts";
import { IconButton } from "../../../shared/controls.tsx";
import { RateAnswer } from "../../../shared/feedback.tsx";
import { client } from "../../state/session.ts";
import type { DocumentNames } from "./document-names.ts";
import { DocumentChoice } from "./scope-picker.tsx";
import { answerStrings as words } from "./strings.ts";

interface RateThisProps {
  /** By what the answer is known: its message in a chat, else its receipt. */
  answer: { messageId: string } | { receiptId: string };
  given: Feedback | null;
  onChange(given: Feedback | null): void;
  names: DocumentNames;
}

/** Thumbs below an answer of the console, whose readers may also name the document that holds it. */
export const RateThis = ({ answer, given, onChange, names }: RateThisProps) => (
  <RateAnswer
    given={given}
    onGive={async (said) => onChange(await client.send<Feedback>("POST", "/api/feedback", { ...said, ...answer }))}
    onTakeBack={async (id) => {
      await client.send("DELETE", `/api/feedback/${id}`);
      onChange(null);
    }}
    documentField={(chosen, onChoose) => <ExpectedDocument chosen={chosen} onChoose={onChoose} names={names} />}
  />
);

interface ExpectedDocumentProps {
  chosen: string | null;
  onChoose(id: string | null): void;
  names: DocumentNames;
}

const ExpectedDocument = ({ chosen, onChoose, names }: ExpectedDocumentProps) => {
  const isChoosing = useSignal(false);
  useEffect(() => names.want([chosen]), [chosen]);
  if (chosen !== null)
    return (
      <p class="expected-document">
        <bdi>{names.of(chosen) ?? words.unnamed}</bdi>
        <IconButton icon={X} label={words.forgetDocument} onClick={() => onChoose(null)} />
      </p>
    );
  return isChoosing.value ? (
    <DocumentChoice
      chosen={null}
      onChoose={(document) => {
        names.learn([document]);
        isChoosing.value = false;
        onChoose(document.id);
      }}
    />
  ) : (
    <div>
      <button type="button" onClick={() => (isChoosing.value = true)}>
        {words.nameDocument}
      </button>
    </div>
  );
};
