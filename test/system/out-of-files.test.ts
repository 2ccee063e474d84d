import { expect, test } from "bun:test";
import { toApiError } from "../../src/models/model-failure.ts";

test("no more files: a 503 that says so, whoever says it, and whatever it is the cause of", () => {
  const system = Object.assign(new Error("open failed"), { code: "EMFILE" });
  const lance = new Error("lance error: LanceError(IO): Unable to walk dir: Too many open files (os error 24)");
  for (const error of [system, lance, new Error("the table cannot be read", { cause: lance })]) {
    const { code, status, message, headers } = toApiError(error);
    expect([code, status, headers["retry-after"]]).toEqual(["storage_unavailable", 503, "5"]);
    expect(message).toContain("ulimit -n");
  }
  expect(toApiError(new Error("os error 240")).code).toBe("internal");
});
