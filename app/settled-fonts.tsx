import { headers } from "next/headers";

// A page shows when its fonts have come. If they have not within 300 ms it shows without them, and their stand-ins stay: either way
// nothing moves under the reader. `display: optional` alone does not see to it, for Chromium may still swap after the first paint.
const SETTLE = `{
  const hidden = new CSSStyleSheet();
  hidden.replaceSync(":root { opacity: 0 }");
  const standIns = new CSSStyleSheet();
  standIns.replaceSync(\`:root {
    --font-inter: Inter Fallback, system-ui, sans-serif;
    --font-source-serif: Source Serif Fallback, Georgia, serif;
    --font-jetbrains-mono: JetBrains Mono Fallback, monospace;
  }\`);
  const settle = (sheets) => {
    document.adoptedStyleSheets = [...sheets, hidden];
    // What a font moves is moved in the first frame, what is then shown in the second.
    requestAnimationFrame(() => requestAnimationFrame(() => { document.adoptedStyleSheets = sheets; }));
  };
  document.adoptedStyleSheets = [hidden];
  const fonts = Array.from(document.fonts).filter((font) => font.display === "optional");
  const come = Promise.all(fonts.map((font) => font.load()));
  const late = new Promise((_, reject) => setTimeout(reject, 300));
  Promise.race([come, late]).then(() => settle([]), () => settle([standIns]));
}`;

/** Stands first in the body: after the style sheets, before anything that they set. Without scripts a page shows at once. */
export async function SettledFonts() {
  const policy = (await headers()).get("content-security-policy");
  const nonce = policy?.match(/'nonce-([^']+)'/)?.[1];
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, which must run before the first paint
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: SETTLE }} suppressHydrationWarning />;
}
