import { strings } from "../strings.ts";
import type { Answer } from "./api.ts";
import { codesIn } from "./error-codes.ts";

/** Errors by status; each code leads to what to do about it. */
export const ErrorList = ({ responses }: { responses: Record<string, Answer> }) => {
  const failed = Object.entries(responses).filter(([status]) => status >= "400");
  return (
    <section>
      <h2>{strings.operation.errors}</h2>
      <dl class="error-codes">
        {failed.map(([status, { description }]) => {
          const codes = codesIn(description);
          return (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                {codes.length === 0
                  ? description
                  : codes.map(({ code, title }) => (
                      <p key={code}>
                        <a href={`/docs/errors#${code}`}>
                          <code>{code}</code>
                        </a>{" "}
                        {title}
                      </p>
                    ))}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
};
