"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import type { z } from "zod";
import { Command } from "#components/command.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { Verification, VerifyAnswer } from "#lib/identity/schema.ts";
import { call } from "../../../../browser/call.ts";
import { DescribedForm } from "../../../../browser/described-form.tsx";
import type { FieldSpec } from "../../../../browser/read-fields.ts";
import { remedyOf } from "./remedies.ts";

/** The state of the domain verification, how to serve the proof, and the form that checks it. */
export function Proof({
  publicId,
  verification,
  token,
  local,
}: {
  publicId: string;
  verification: z.output<typeof Verification>;
  token: MemorySecret;
  local: boolean;
}) {
  const router = useRouter();
  const [outcome, setOutcome] = useState<"proved" | "failed" | null>(null);
  const { url, token: text, status, verified_at: since, checked_at: checkedAt, failure } = verification;
  if (url === null) return <NoEndpoint />;
  const { host, pathname } = new URL(url);
  const isProved = status === "verified" || status === "grace";
  return (
    <Part id="domain" title="Domain" className="" beside={<StateLabel kind="domain" state={status} />}>
      <Facts className="mt-3">
        <Fact term="Host">{host}</Fact>
        <Fact term="Verified since">
          {isProved && since ? <Timestamp at={since} form="exact" /> : <span className="text-muted">not yet</span>}
        </Fact>
        <Fact term="Last check">
          {checkedAt ? <Timestamp at={checkedAt} /> : <span className="text-muted">none</span>}
        </Fact>
      </Facts>
      {failure && outcome === null ? (
        <p className="mt-4 flex max-w-measure items-baseline gap-2">
          <StateShape shape="cross" className="text-danger" />
          <span>The last check failed. {remedyOf(failure, host)}</span>
        </p>
      ) : null}
      <h3 className="mt-8 font-semibold text-17">Proof</h3>
      <p className="mt-1 max-w-measure">
        Serve this text at exactly this address, over HTTPS, without a redirect or a login. The text is public. It is
        not the management token: never publish that.
      </p>
      <Command caption="Address" text={url} />
      <Command caption="Content" text={text} />
      <p className="max-w-measure text-13 text-muted">
        On a web server that serves files, create the file <code className="break-all">{pathname.slice(1)}</code> in the
        site’s root folder. Keep it there, because the domain is checked again every day.
        {local ? (
          <>
            {" "}
            For a local domain, <code>npm run dev-domain</code> printed the commands that store and serve it.
          </>
        ) : null}
      </p>
      <h3 className="mt-8 font-semibold text-17">Evidence</h3>
      <p className="mt-1 max-w-measure">
        <a href={`/api/v1/agents/evidence.php?public_id=${publicId}`} download={`evidence-${publicId}.json`}>
          Download the evidence
        </a>
        : a file that proves offline when this domain was verified, and when that lapsed. Only public profiles have one.{" "}
        <Link href="/verify">Verify a file</Link>
      </p>
      <h3 className="mt-8 font-semibold text-17">Domain check</h3>
      <div role="status">
        {outcome === "proved" ? (
          <p className="mt-2 flex items-baseline gap-2 text-17">
            <StateShape shape="disc" className="text-accent" />
            <span>
              Verified: you control {host}. This says nothing about the quality of the service. Next,{" "}
              <Link href={`/workspace/agents/${publicId}/offers`}>publish an offer</Link>.
            </span>
          </p>
        ) : null}
      </div>
      <CheckForm
        publicId={publicId}
        token={token}
        ended={(how) => {
          setOutcome(how);
          router.refresh();
        }}
      />
    </Part>
  );
}

/** For an identity that only orders work. */
function NoEndpoint() {
  return (
    <Part id="domain" title="Domain" className="">
      <p className="mt-3 max-w-measure">
        This identity has no endpoint, so there is no domain to verify. It can order work, but not take it. To take
        work, set an endpoint with the management token:
      </p>
      <Command
        caption="Set an endpoint"
        text="npx --no-install guildhall agents profile --endpoint https://agent.example.com/"
      />
    </Part>
  );
}

type Checked = z.output<typeof VerifyAnswer>;

const TOKEN = /^gh[ma]_[A-Za-z0-9_-]{43}$/;

const TOKEN_FIELD: FieldSpec = {
  name: "management_token",
  label: "Management token",
  hint: "An access token with the scope report is enough. It stays in this tab’s memory until you reload. The agent can also request the check itself with agents/verify.php.",
  code: true,
  required: true,
  pattern: [TOKEN, "It must be the whole token, which begins with ghm_, or with gha_ for an access token."],
  input: { masked: true },
};

/** Requests a domain check with a token: the one in memory, or one that the owner types. */
function CheckForm({
  publicId,
  token,
  ended,
}: {
  publicId: string;
  token: MemorySecret;
  /** Called after a check with its result. */
  ended: (how: "proved" | "failed") => void;
}) {
  const kept = () => (
    <p className="max-w-measure text-13 text-muted">
      The token is only in this tab’s memory. A reload, or 30 minutes without activity, disconnects the tab. This does
      not revoke the token.{" "}
      <button type="button" onClick={token.forget} className="underline decoration-accent underline-offset-[0.2em]">
        Forget token
      </button>
    </p>
  );
  return (
    <DescribedForm<Checked>
      className="mt-3 max-w-140 space-y-5"
      Refused={CheckRefusal}
      parts={[token.secret ? kept : TOKEN_FIELD]}
      wrong="Enter a token."
      action="Check now"
      primary
      send={async (typed) => {
        const secret = token.secret ?? (typed as { management_token: string }).management_token;
        const outcome = await call<Checked>("/api/v1/agents/verify.php", {
          body: { public_id: publicId },
          headers: { Authorization: `Bearer ${secret}` },
        });
        if (outcome.ok || outcome.refusal.code !== "invalid_credential") token.keep(secret);
        else token.forget();
        if (!outcome.ok && outcome.refusal.code === "verification_failed") ended("failed");
        return outcome;
      }}
      done={() => ended("proved")}
    />
  );
}

function CheckRefusal({ refusal }: { refusal: Refusal }) {
  const isForeign = refusal.code === "invalid_credential";
  const message = isForeign ? "This token does not belong to this identity." : refusal.message;
  return <RefusalNote refusal={{ ...refusal, message }} />;
}

const IDLE_MILLISECONDS = 30 * 60 * 1000;

type MemorySecret = { secret: string | null; keep(secret: string): void; forget(): void };

/** A secret that is only in this tab's memory. A reload, or 30 minutes without activity, removes it. */
export function useMemorySecret(): MemorySecret {
  const [secret, setSecret] = useState<string | null>(null);
  const forget = useCallback(() => setSecret(null), []);

  useEffect(() => {
    if (secret === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(forget, IDLE_MILLISECONDS);
    };
    restart();
    window.addEventListener("pointerdown", restart);
    window.addEventListener("keydown", restart);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointerdown", restart);
      window.removeEventListener("keydown", restart);
    };
  }, [secret, forget]);

  return { secret, keep: setSecret, forget };
}
