import { Fragment } from "preact";
import type { TypeWord } from "./type-words.ts";

/** A description: what stands between backticks is code. */
export const Described = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);

/** A type; records lead to their place. */
export const Type = ({ words }: { words: readonly TypeWord[] }) => (
  <span class="type">
    {words.map((word, at) => (
      <Fragment key={at}>
        {typeof word === "string" ? word : <a href={`/docs/reference/records#${word.record}`}>{word.record}</a>}
      </Fragment>
    ))}
  </span>
);

/** A method, in a width of its own. */
export const Method = ({ name }: { name: string }) => <span class={`method ${name.toLowerCase()}`}>{name}</span>;
