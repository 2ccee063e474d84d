import { useSignal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useId } from "preact/hooks";
import { messageOf } from "../../../domain/errors.ts";
import { client, mayWrite, resumeSession, session } from "../console/state/session.ts";
import { SignInView } from "../console/views/sign-in/sign-in-view.tsx";
import type { Key, Partition } from "../shared/api.ts";
import { Select, writeTo } from "../shared/controls.tsx";

/** Every text of the page on which a program is let in, in one place for translation. */
const strings = {
  title: "Let a program in",
  question: (name: string) => `Let ${name} read your documents?`,
  unchecked: "It calls itself so: nobody has checked that. Go on only if you have just connected it yourself.",
  describedBy: (host: string) => `${host} vouches for this name.`,
  answeredAt: "Access goes to",
  role: "It may",
  reader: "search, read and ask",
  writer: "search, read, ask, and add documents",
  partition: "In",
  all: "all documents",
  hint: (key: string) => `It gets a key of its own, which ends with “${key}” and is seen and revoked under Keys.`,
  allow: "Let it in",
  deny: "Do not",
};

/** The program that asks for access, as the page was delivered. */
interface About {
  name: string;
  /** Host of the document that describes it; null for one that only says what it is. */
  host: string | null;
  /** Host that the user is sent back to. */
  answeredAt: string;
  /** It asks to add documents. */
  mayWrite: boolean;
}

const place = document.querySelector<HTMLElement>("#authorize");
const about = JSON.parse(place?.dataset.about ?? "{}") as About;

/** Who signed in decides what the program may do, and in which documents. */
const Consent = ({ signedIn }: { signedIn: Key }) => {
  const id = useId();
  const role = useSignal<"reader" | "writer">(about.mayWrite && mayWrite() ? "writer" : "reader");
  const partitionId = useSignal(signedIn.partitionId);
  const partitions = useSignal<Partition[]>([]);
  const failure = useSignal("");
  const isRunning = useSignal(false);
  useEffect(() => {
    document.title = strings.title;
    client
      .get<Partition[]>("/api/partition", { limit: 100 })
      .then((found) => {
        partitions.value = found;
      })
      .catch((error: unknown) => {
        failure.value = messageOf(error);
      });
  }, []);

  const decide = async (isAllowed: boolean) => {
    isRunning.value = true;
    failure.value = "";
    try {
      const body = { query: location.search.slice(1), isAllowed, role: role.value, partitionId: partitionId.value };
      const answer = await client.send<{ redirect: string }>("POST", "/oauth/authorize", body);
      location.assign(answer.redirect);
    } catch (error) {
      failure.value = messageOf(error);
      isRunning.value = false;
    }
  };

  return (
    <main class="sign-in">
      <h1>{strings.question(about.name)}</h1>
      <p>{about.host === null ? strings.unchecked : strings.describedBy(about.host)}</p>
      <p>
        {strings.answeredAt} <strong>{about.answeredAt}</strong>
      </p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void decide(true);
        }}
      >
        <div class="field">
          <label for={`${id}-role`}>{strings.role}</label>
          <Select
            id={`${id}-role`}
            value={role.value}
            options={(["reader", "writer"] as const).slice(0, mayWrite() ? 2 : 1).map((each) => [each, strings[each]])}
            onChoose={writeTo(role)}
          />
        </div>
        <div class="field">
          <label for={`${id}-partition`}>{strings.partition}</label>
          <Select
            id={`${id}-partition`}
            value={partitionId.value ?? ""}
            options={[
              ...(signedIn.partitionId === null ? [["", strings.all] as const] : []),
              ...partitions.value.map((each) => [each.id, each.name] as const),
            ]}
            onChoose={(chosen) => {
              partitionId.value = chosen === "" ? null : chosen;
            }}
          />
        </div>
        <p class="notice" role="alert">
          {failure.value}
        </p>
        <p class="hint">{strings.hint(signedIn.name)}</p>
        <button type="submit" class="primary" disabled={isRunning.value}>
          {strings.allow}
        </button>{" "}
        <button type="button" disabled={isRunning.value} onClick={() => void decide(false)}>
          {strings.deny}
        </button>
      </form>
    </main>
  );
};

const Page = () => {
  const key = session.value;
  useEffect(() => {
    void resumeSession();
  }, []);
  if (key === undefined) return null;
  return key === null ? <SignInView /> : <Consent key={key.id} signedIn={key} />;
};

if (place !== null) render(<Page />, place);
