// What a tab keeps over a reload: the public ID of the identity it was connected to, and what was typed. Never a token.

const PREFIX = "guildhall.tab ";
/** The most characters that are kept under one name. */
const MOST = 200_000;

export function keepInTab(name: string, text: string | null): void {
  try {
    if (text === null || text.length > MOST) window.sessionStorage.removeItem(PREFIX + name);
    else window.sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // The browser's storage is full or switched off: it lives as long as the page.
  }
}

export function keptInTab(name: string): string | null {
  try {
    return window.sessionStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}
