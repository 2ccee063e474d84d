import { expect, test } from "bun:test";
import { mkdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { readPage } from "./markdown.ts";

interface Workflow {
  jobs: { ingest: { steps: { run?: string; env?: Record<string, string> }[] } };
}

const isThere = ["curl", "jq", "git", "bash"].every((program) => Bun.which(program) !== null);

test.skipIf(!isThere)("the script of the workflow for GitHub keeps a partition in step with docs/", async () => {
  const page = await readPage("docs/integrations/github-action.md");
  const workflow = parse(page.match(/```yaml\n(.*?)```/s)?.[1] ?? "") as Workflow;
  const { run = "", env = {} } = workflow.jobs.ingest.steps.find((step) => step.run !== undefined) ?? {};
  const folder = await temporaryFolder("action");
  const server = await startTestServer();
  const partition = await server.ask("POST", "/api/partition", { json: { name: env.PARTITION } });
  const key = await server.issueKey({ role: "writer", partitionId: partition.body.id });
  const push = async () => {
    Bun.spawnSync(["git", "add", "-A"], { cwd: folder });
    const environment = { ...env, CARREL_URL: server.url, CARREL_KEY: key, GITHUB_REPOSITORY: "garden/handbook" };
    const child = Bun.spawn(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stderr: "ignore",
    });
    const said = (await new Response(child.stdout).text()).trim().split("\n").filter(Boolean).sort();
    return { status: await child.exited, said };
  };
  Bun.spawnSync(["git", "init", "-q"], { cwd: folder });
  await mkdir(join(folder, "docs/a b"), { recursive: true });
  await Bun.write(join(folder, "docs/pump.md"), "The pump is drained in October.");
  await Bun.write(join(folder, "docs/a b/@roof; (1).md"), "The roof is red.");
  await Bun.write(join(folder, "docs/broken.pdf"), "%PDF-1.7\nbroken");
  expect(await push()).toEqual({
    status: 1,
    said: [
      expect.stringMatching(/^::error file=docs\/broken\.pdf::\w+/),
      "stored: docs/a b/@roof; (1).md",
      "stored: docs/pump.md",
    ],
  });
  await unlink(join(folder, "docs/broken.pdf"));
  await unlink(join(folder, "docs/a b/@roof; (1).md"));
  await Bun.write(join(folder, "docs/lawn.txt"), "The lawn is mown in May.");
  expect(await push()).toEqual({
    status: 0,
    said: ["deleted: docs/a b/@roof; (1).md", "stored: docs/lawn.txt", "unchanged: docs/pump.md"],
  });
  const { body } = await server.ask("GET", "/api/document");
  expect(body.map(({ name }: { name: string }) => name).sort()).toEqual(["docs/lawn.txt", "docs/pump.md"]);
});
