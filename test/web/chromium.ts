export { chromiumPath, whyNoBrowser } from "../../tools/screenshots/chromium.ts";
