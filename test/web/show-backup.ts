import type { Page } from "playwright-core";

/** Shows the settings of a server that makes backups and has this one. */
export const showBackup = async (page: Page, backup: object): Promise<void> => {
  await page.route("**/api/settings", async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const setting = { ...body.settings[0], name: "backup.path", value: "/backups" };
    await route.fulfill({ response: answer, json: { ...body, settings: [...body.settings, setting] } });
  });
  await page.route("**/api/backup", (route) => route.fulfill({ json: [backup] }));
  await page.goto(new URL("/settings", page.url()).href);
};
