// What several views share and is small: in the first script. Left to themselves, they would be a dozen scripts of some
// hundred bytes each, and a browser loads six files at a time.
import "./components/back-link.tsx";
import "./components/confirm-dialog.tsx";
import "./components/copy-button.tsx";
import "./components/more-button.tsx";
import "./components/name-dialog.tsx";
import "./components/tabs.tsx";
import "./frame/admins-only.tsx";
import "./state/use-loaded.ts";
import "./state/use-pages.ts";
import "./state/use-run.ts";
import "./views/document/passage/mark-passage.ts";
