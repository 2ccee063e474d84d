import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { DocumentStatus, IngestedDocument, Partition } from "../../../../shared/api.ts";
import { typeInto, writeTo } from "../../../../shared/controls.tsx";
import { Dialog, maxNameCharacters, SubmitActions } from "../../../components/dialog.tsx";
import { FailureNote } from "../../../components/notes.tsx";
import { SelectField } from "../../../components/text-field.tsx";
import { useRun } from "../../../state/loaded.ts";
import { loadPartitions, usePartitions } from "../../../state/partitions.ts";
import { client, session } from "../../../state/session.ts";
import { addingPlace, followAdded } from "./adding-state.ts";
import { addingStrings as texts } from "./strings.ts";

interface DialogProps {
  onClose(): void;
}

const maxAddressCharacters = 1_024;
const addressKinds = ["websiteUrl", "url"] as const;
/** Addresses that end so name files. */
const fileEnding = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|epub|csv|tsv|txt|md|json|eml|msg|zip|png|jpe?g)$/i;

const text = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

/** Has one document read: it appears in the list at once. */
const addDocument = async (body: object, signal: AbortSignal): Promise<void> => {
  const made = await client.send<IngestedDocument>("POST", "/api/ingest", { ...body, async: true }, signal);
  followAdded([made]);
  void loadPartitions();
};

export const PageDialog = ({ onClose }: DialogProps) => {
  const kind = useSignal<(typeof addressKinds)[number]>("websiteUrl");
  return (
    <AddingForm
      title={texts.pageTitle}
      onClose={onClose}
      add={async (form, place, signal) => {
        await addDocument({ [kind.value]: text(form, "address"), ...place }, signal);
        onClose();
      }}
    >
      <label class="field">
        {texts.address}
        <input
          name="address"
          type="url"
          required
          autofocus
          dir="ltr"
          placeholder="https://"
          pattern="https?://.+"
          maxLength={maxAddressCharacters}
          onChange={({ currentTarget }) => {
            kind.value = fileEnding.test(currentTarget.value.split(/[?#]/)[0] ?? "") ? "url" : "websiteUrl";
          }}
        />
      </label>
      <SelectField
        label={texts.addressKind}
        value={kind.value}
        options={addressKinds.map((each) => [each, texts.addressKinds[each]])}
        onChoose={writeTo(kind)}
      />
    </AddingForm>
  );
};

interface SitemapScan {
  documents: { id: string; url: string; status: DocumentStatus }[];
  warnings: string[];
}

export const SiteDialog = ({ onClose }: DialogProps) => {
  const scan = useSignal<SitemapScan | null>(null);
  if (scan.value !== null)
    return (
      <Dialog
        title={texts.siteTitle}
        onClose={onClose}
        actions={
          <button type="button" class="primary" autofocus onClick={onClose}>
            {texts.done}
          </button>
        }
      >
        <p role="status">{texts.scanned(scan.value.documents.length)}</p>
        {scan.value.warnings.length > 0 && (
          <section>
            <h3>{texts.scanWarnings}</h3>
            <ul dir="auto">
              {scan.value.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </section>
        )}
      </Dialog>
    );
  return (
    <AddingForm
      title={texts.siteTitle}
      waiting={texts.scanning}
      onClose={onClose}
      add={async (form, place, signal) => {
        const body = { rootDomain: text(form, "site"), ...place };
        scan.value = await client.send<SitemapScan>("POST", "/api/scanSitemap", body, signal);
        followAdded(scan.value.documents.map(({ id, url }) => ({ id, name: url })));
        void loadPartitions();
      }}
    >
      <label class="field">
        {texts.siteAddress}
        <input name="site" required autofocus dir="ltr" maxLength={maxAddressCharacters} autocomplete="url" />
        <span class="hint">{texts.siteHint}</span>
      </label>
    </AddingForm>
  );
};

export const TextDialog = ({ onClose }: DialogProps) => (
  <AddingForm
    title={texts.textTitle}
    onClose={onClose}
    add={async (form, place, signal) => {
      await addDocument({ name: text(form, "name"), text: text(form, "text"), ...place }, signal);
      onClose();
    }}
  >
    <label class="field">
      {texts.name}
      <input name="name" required autofocus dir="auto" maxLength={maxNameCharacters} autocomplete="off" />
    </label>
    <label class="field">
      {texts.textField}
      <textarea name="text" required dir="auto" rows={10} />
    </label>
  </AddingForm>
);

/** The partition that a form chose; a new one is made. */
export const placeId = async (
  { partitionId, partition }: { partitionId?: string; partition?: string },
  signal: AbortSignal,
): Promise<string | null> => {
  if (partition === undefined) return partitionId ?? null;
  const made = await client.send<Partition>("POST", "/api/partition", { name: partition }, signal);
  void loadPartitions();
  return made.id;
};

interface AddingFormProps {
  title: string;
  /** What is done while it takes: "Looking for the sitemap …". */
  waiting?: string;
  /** Adds what the form holds; a failure is shown, and the form stays. @param place the partition */
  add(form: FormData, place: ReturnType<typeof partitionIn>, signal: AbortSignal): Promise<unknown>;
  onClose(): void;
  /** Nothing has to be filled in: Enter adds. */
  isComplete?: boolean;
  children?: ComponentChildren;
}

/** A dialog that adds documents to a partition. */
export const AddingForm = ({ title, waiting, add, onClose, isComplete = false, children }: AddingFormProps) => {
  const form = useId();
  const { failure, isRunning, run, stop } = useRun();
  const close = () => {
    stop();
    onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    void run((signal) => add(given, partitionIn(given), signal));
  };
  const actions = (
    <SubmitActions
      form={form}
      submit={texts.addIt}
      isRunning={isRunning.value}
      isFocused={isComplete}
      onClose={close}
    />
  );
  return (
    <Dialog title={title} onClose={close} actions={actions}>
      <form id={form} class="form" onSubmit={submit}>
        {children}
        <PartitionField />
        {isRunning.value && waiting !== undefined && (
          <p class="quiet" role="status">
            {waiting}
          </p>
        )}
        <FailureNote error={failure.value} />
      </form>
    </Dialog>
  );
};

const fresh = "new";

/**
 * Chooses the partition that documents go to, or names a new one. Fields of its form: `partitionId`, `partition`. A key
 * that is limited to a partition has no choice.
 */
const PartitionField = () => {
  const partitions = usePartitions();
  const chosen = useSignal(addingPlace.peek()?.id ?? "");
  if (session.value?.partitionId !== null) return null;
  return (
    <>
      <label class="field">
        {texts.partition}
        <select name="partitionId" value={chosen.value} onChange={typeInto(chosen)}>
          <option value="">{texts.noPartition}</option>
          {partitions.map(({ id, name }) => (
            <option key={id} value={id} dir="auto">
              {name}
            </option>
          ))}
          <option value={fresh}>{texts.newPartition}</option>
        </select>
      </label>
      {chosen.value === fresh && (
        <label class="field">
          {texts.newPartitionName}
          <input name="partition" required autofocus dir="auto" maxLength={maxNameCharacters} autocomplete="off" />
        </label>
      )}
    </>
  );
};

/** What was chosen, as the API takes it. */
const partitionIn = (form: FormData): { partitionId?: string; partition?: string } => {
  const id = form.get("partitionId");
  if (id === fresh) return { partition: String(form.get("partition")).trim() };
  return typeof id === "string" && id !== "" ? { partitionId: id } : {};
};
