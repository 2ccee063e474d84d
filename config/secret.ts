import { inspect } from "node:util";
import { Kind, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";

/** What everything but `reveal` shows of a secret. */
const shown = "[secret]";

/**
 * A secret of the configuration. It cannot get into a log, an answer or a message by accident: as text, as JSON and for
 * `console` it is `[secret]`, and copies of it are empty. `reveal` is called where it is used, nowhere else.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The secret itself: for the header or the signature that needs it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [Symbol.toPrimitive](): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}

const kind = "CarrelSecret";

TypeRegistry.Set(kind, (_, value) => value instanceof Secret);

/** A setting whose value is read as a `Secret`. */
export const secretText = (options: { description?: string; pattern?: string } = {}) =>
  Type.Unsafe<Secret>({ [Kind]: kind, type: "string", minLength: 1, ...options });

/** Whether a setting of this schema is secret. */
export const isSecretSchema = (schema: TSchema): boolean => schema[Kind] === kind;
