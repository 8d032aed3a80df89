"use client";

import type { ReactNode } from "react";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { keepForReturn } from "./use-claim-token.ts";

/** Says that a link cannot be used, and what to do about it. */
export function Notice({
  title,
  children,
  next,
}: {
  title: string;
  children: ReactNode;
  next?: { href: string; label: string };
}) {
  return (
    <Part id="notice" title={title} className="border-ink border-t-2 pt-4">
      <div className="mt-2 max-w-measure text-17">{children}</div>
      {next ? (
        <p className="mt-3 text-17">
          <Link href={next.href}>{next.label}</Link>
        </p>
      ) : null}
    </Part>
  );
}

/** Leads to an account and back. This tab keeps the token: it goes into no address and to no server. */
export function SignInWays({ token }: { token: string }) {
  const keep = () => keepForReturn(token);
  return (
    <p className="mt-4 flex flex-wrap gap-4">
      <a href="/sign-up?return_to=/claim" onClick={keep} className="button button-primary">
        Create account
      </a>
      <a href="/sign-in?return_to=/claim" onClick={keep} className="button">
        Sign in
      </a>
    </p>
  );
}
