/**
 * The widget: a button that opens a public chat in a frame. Its elements are in a shadow tree of one host element, so
 * that the site's styles and the widget's do not meet. Use:
 * `<script src="https://carrel.example/embed.js" data-chat="ID" data-label="Ask" data-side="right" async></script>`
 */

const script = document.currentScript;

const styles = `
:host { all: initial !important; display: block !important; }
button { position: fixed; inset-block-end: 20px; width: auto; min-width: 52px; height: 52px; padding: 0 18px; border: 0;
  border-radius: 26px; background: #1f4f8a; color: #fff; font: 600 15px/22px system-ui, sans-serif; cursor: pointer;
  z-index: 2147483000; box-shadow: 0 2px 8px rgb(0 0 0 / 25%); }
button:focus-visible { outline: 2px solid #1f4f8a; outline-offset: 2px; }
iframe { position: fixed; inset-block-end: 84px; width: min(400px, 100vw); height: min(640px, calc(100dvh - 100px));
  border: 1px solid #e4e0d8; border-radius: 6px; background: #fbfaf7; z-index: 2147483000; color-scheme: normal;
  box-shadow: 0 4px 20px rgb(0 0 0 / 25%); }
.right { right: 20px; }
.left { left: 20px; }
[hidden] { display: none; }
@media (max-width: 600px) {
  iframe { inset: 0; width: 100vw; height: calc(100dvh - 64px); border: 0; border-radius: 0; }
  button { inset-block-end: 8px; }
}
@media (prefers-color-scheme: dark) { iframe { background: #171614; border-color: #302d29; } }
`;

const addWidget = (element: HTMLScriptElement): void => {
  const { chat = "", label = "Ask", side } = element.dataset;
  const { origin } = new URL(element.src);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(chat)) {
    console.error("Carrel: data-chat must be the id of a public chat.");
    return;
  }
  // Beside this script, which may be under a prefix.
  const page = new URL(`chat/${chat}`, element.src).href;
  const edge = side === "left" ? "left" : "right";
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement("button");
  button.type = "button";
  button.className = edge;
  button.textContent = label;
  button.setAttribute("aria-expanded", "false");
  let frame: HTMLIFrameElement | null = null;

  const makeFrame = (): HTMLIFrameElement => {
    const made = document.createElement("iframe");
    made.src = page;
    made.title = label;
    made.className = edge;
    made.referrerPolicy = "origin";
    root.prepend(made);
    return made;
  };
  const show = (isOpen: boolean): void => {
    frame ??= makeFrame();
    frame.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) frame.focus();
    else button.focus();
  };
  const isOpen = (): boolean => frame !== null && !frame.hidden;

  button.addEventListener("click", () => show(!isOpen()));
  host.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) show(false);
  });
  addEventListener("message", (event) => {
    if (event.origin === origin && event.source === frame?.contentWindow && event.data === "carrel:close") show(false);
  });
  root.append(button);
  document.body.append(host);
};

if (script instanceof HTMLScriptElement) {
  if (document.body === null) addEventListener("DOMContentLoaded", () => addWidget(script), { once: true });
  else addWidget(script);
}
