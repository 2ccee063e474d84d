import { escapeHtml, pageIcon } from "./html-page.ts";

/** How the page is shown; every feature that would reach another host is off. */
const settings = {
  url: "/openapi.json",
  authentication: { preferredSecurityScheme: "key" },
  orderSchemaPropertiesBy: "preserve",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

/**
 * The page that shows `/openapi.json`, to read and to try. Its settings are data, not a script: the page's policy allows no
 * inline script.
 */
export const referenceHtml = (scriptPath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Carrel</title>
${pageIcon}
<style>body { margin: 0; }</style>
</head>
<body>
<script id="api-reference" type="application/json" data-url="${settings.url}" data-configuration="${escapeHtml(JSON.stringify(settings))}"></script>
<script src="${scriptPath}"></script>
</body>
</html>
`;
