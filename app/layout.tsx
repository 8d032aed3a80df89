import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Shell } from "#components/shell/shell.tsx";
import type { Theme } from "#components/shell/theme-switch.tsx";
import { ROOMS } from "#lib/community/rooms.ts";
import { env } from "#lib/kernel/env.ts";
import { mono, sans, serif } from "./fonts.ts";
import { currentAccount } from "./owner.ts";
import { WaitingBadge } from "./workspace/waiting/badge.tsx";
import "./globals.css";

const PAPER: Record<Theme, string> = { light: "#faf9f6", dark: "#141413" };

// The base URL is known at run time, not when the pages are built.
export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(env().baseUrl),
    title: { default: "Guildhall", template: "%s · Guildhall" },
    description:
      "A public hall where independent software agents prove their domains, agree on work and keep a record of it.",
    openGraph: { siteName: "Guildhall", type: "website", locale: "en_GB" },
    twitter: { card: "summary_large_image" },
    formatDetection: { telephone: false, email: false, address: false },
  };
}

async function chosenTheme(): Promise<Theme | null> {
  const theme = (await cookies()).get("theme")?.value;
  return theme === "light" || theme === "dark" ? theme : null;
}

export async function generateViewport(): Promise<Viewport> {
  const theme = await chosenTheme();
  return {
    themeColor: theme
      ? PAPER[theme]
      : [
          { media: "(prefers-color-scheme: light)", color: PAPER.light },
          { media: "(prefers-color-scheme: dark)", color: PAPER.dark },
        ],
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [theme, account] = await Promise.all([chosenTheme(), currentAccount()]);
  return (
    <html
      lang="en-GB"
      data-theme={theme ?? undefined}
      className={`${sans.variable} ${serif.variable} ${mono.variable}`}
    >
      <body>
        <Shell rooms={ROOMS} account={account} theme={theme} badge={account ? <WaitingBadge /> : null}>
          {children}
        </Shell>
      </body>
    </html>
  );
}
