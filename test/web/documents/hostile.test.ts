import { expect, test } from "bun:test";
import { formOf } from "../../call-server.ts";
import type { TestServer } from "../../start-server.ts";
import { eventually, until } from "../../until.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { openConsole } from "../open-console.ts";
import { mentions, shows } from "../shows.ts";
import { startPageServer } from "../start-page-server.ts";

let server: TestServer;

const script = "<script>document.title = 'owned'</script>";
const picture = "<img src='http://evil.example/a.png' onerror='document.title = 1'>";
const pages = { "text/html": "html", "image/svg+xml": "svg" } as const;

const send = async (name: string, mimeType: string, content: string): Promise<{ id: string; status: string }> => {
  const form = formOf({ file: new File([content], name, { type: mimeType }) });
  const answer = await server.call("/api/ingest", { method: "POST", body: form });
  return (await answer.json()) as { id: string; status: string };
};

await describeInBrowser("hostile documents in the console", async (browser) => {
  server = await startPageServer();
  return () => {
    test("names, metadata and texts run no script, load no picture and show no frame", async () => {
      const name = `${picture}${script}\u202egnp.md`;
      const text = `# ${script}\n\n${picture} [go](javascript:alert(1)) ![a](http://evil.example/b.png) The heron fishes.\n\n<iframe src="http://evil.example/"></iframe>`;
      const made = (await (
        await server.post("/api/ingest", { name, text, metadata: { [picture]: script }, partition: picture })
      ).json()) as { id: string };
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await page.locator("tbody tr").first().waitFor();
      await shows(page.locator("tbody th"), name);
      await page.locator("tbody th a").click();
      await page.getByText("The heron fishes.").first().waitFor();
      for (const tab of ["Snippets", "Details", "Text"]) await page.getByRole("tab", { name: tab }).click();
      await eventually(async () => expect(new URL(page.url()).pathname).toBe(`/documents/${made.id}`));
      expect(await page.locator("main :is(img, iframe, script, object, embed)").count()).toBe(0);
      expect(await page.locator("main a[href^='javascript:' i]").count()).toBe(0);
      await eventually(async () => expect(await page.title()).toBe(`${name} · Carrel`));
    });

    test.each(Object.entries(pages))("an original of type %s is a download and never shown", async (type, ending) => {
      const content =
        type === "text/html"
          ? `<!doctype html><title>Page</title><p>The heron fishes at the weir, all day long and in every weather.</p>${script}`
          : `<svg xmlns="http://www.w3.org/2000/svg"><text>The heron fishes</text>${script}</svg>`;
      const { id } = await send(`original.${ending}`, type, content);
      if (id === undefined) return; // Refused at the door is as good.
      const file = await server.call(`/api/document/${id}/file`);
      expect(file.headers.get("content-disposition")).toStartWith("attachment");
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
      expect(file.headers.get("content-security-policy")).toContain("sandbox");
      const { page } = await openConsole(browser, server, { path: `/documents/${id}` });
      await page.getByRole("tab", { name: "Original" }).click();
      await page.getByRole("link", { name: "Download the original" }).waitFor();
      expect(await page.locator("main :is(img, iframe, object, embed)").count()).toBe(0);
    });

    test("a file that is no PDF inside leaves the rest of the view whole", async () => {
      const { id } = (await (
        await server.post("/api/ingest", { name: "Notes", text: "The heron fishes." })
      ).json()) as {
        id: string;
      };
      const { page } = await openConsole(browser, server, { path: "/documents" });
      // As if the bytes had been spoiled on the disk.
      await page.route(`**/api/document/${id}`, async (route) => {
        const answer = await route.fetch();
        const record = (await answer.json()) as object;
        const originalUrl = `${server.url}/api/document/${id}/file`;
        await route.fulfill({ response: answer, json: { ...record, originalUrl, mimeType: "application/pdf" } });
      });
      await page.route("**/file", (route) => route.fulfill({ body: "no PDF at all" }));
      await page.locator("tbody th a").filter({ hasText: "Notes" }).click();
      await page.getByText("The browser cannot show this file.").waitFor();
      await mentions(page.locator(".prose"), "The heron fishes.");
    });

    test("a text that is Arabic, a table of 40 columns and a name of 255 characters keep the page in its width", async () => {
      const row = (of: (at: number) => string) => `| ${Array.from({ length: 40 }, (_, at) => of(at)).join(" | ")} |`;
      const table = [row((at) => `Column ${at}`), row(() => "---"), row((at) => `value ${at}`)].join("\n");
      const name = "ن".repeat(120) + "n".repeat(135);
      const made = (await (
        await server.post("/api/ingest", { name, text: `مرحبا بالعالم\n\n${table}\n\n${"w".repeat(3_000)}` })
      ).json()) as { id: string };
      for (const path of ["/documents", `/documents/${made.id}`]) {
        const { page } = await openConsole(browser, server, { path, viewport: { width: 320, height: 640 } });
        await until(async () => (await page.locator("tbody tr, .prose").count()) > 0);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      }
    });
  };
});
