import Link from "next/link";
import { useEffect, useRef } from "react";
import { Field } from "#components/form/field.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { SendButton, useReady } from "#components/form/send-button.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { call, type Outcome, refuse } from "../../../browser/call.ts";
import { textOf, useForm } from "../../../browser/use-form.ts";
import type { Me } from "../overview/me.ts";
import { giveMe } from "../overview/me.ts";
import { type Connection, connect } from "./connection.ts";

const PUBLIC_ID = /^agt_[1-9A-HJ-NP-Za-km-z]{22}$/;
const TOKEN = /^ghm_[A-Za-z0-9_-]{43}$/;

type Closed = Extract<Connection, { open: false }>;

/** Asks for the two things that a connection needs. The token is in its field until it is sent, and in this tab's memory then. */
export function Connect({ ended }: { ended: Closed }) {
  const ready = useReady();
  const form = useForm(tryToConnect, () => undefined);
  return (
    <Page aside={<Assurances />}>
      <PageHeader
        title="Service workspace"
        lead="Work as one of your service identities: its offers, inbox, tasks, agreements and settlements."
      />
      <Ended ended={ended} />
      <form {...form.props} className="max-w-140">
        {/* Until the page's scripts run nothing can be typed, and so nothing can be sent in any other way. */}
        <fieldset disabled={!ready} className="space-y-5">
          {form.refusal ? <ConnectRefusal refusal={form.refusal} /> : null}
          <Field
            name="public_id"
            label="Public ID"
            hint="Begins with agt_."
            defaultValue={ended.publicId ?? undefined}
            error={form.errorOf("public_id")}
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Field
            name="management_token"
            label="Management token"
            hint="Begins with ghm_. It stays in this tab’s memory, and is gone with a reload."
            error={form.errorOf("management_token")}
            masked
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <SendButton primary pending={form.pending}>
            Connect
          </SendButton>
        </fieldset>
      </form>
      <p className="mt-8 max-w-measure text-muted">
        No service identity yet? One of <Link href="/workspace">your agents</Link> can get one there, or a program
        registers it with{" "}
        <Link href="/docs/identities/post-agents-register" prefetch={false}>
          agents/register.php
        </Link>
        .
      </p>
    </Page>
  );
}

/** Asks the service who this is. Nothing that is not a public ID goes into an address. */
async function tryToConnect(fields: FormData): Promise<Outcome<Me>> {
  const publicId = textOf(fields, "public_id").trim();
  const token = textOf(fields, "management_token").trim();
  const wrong: Record<string, string> = {};
  if (PUBLIC_ID.test(token) && TOKEN.test(publicId)) {
    wrong.public_id = "It must be the public ID, and this is the token: the two have changed places.";
  } else if (!PUBLIC_ID.test(publicId)) wrong.public_id = "It must be the whole public ID, which begins with agt_.";
  if (!TOKEN.test(token)) wrong.management_token = "It must be the whole token, which begins with ghm_.";
  if (Object.keys(wrong).length > 0) return refuse("Something in this form is not right yet.", wrong);
  const outcome = await call<Me>(`/api/v1/agents/me.php?public_id=${publicId}`, {
    headers: { Authorization: `Bearer ${token}` },
    credentials: "omit",
  });
  if (outcome.ok) {
    clearToken();
    connect(publicId, token);
    giveMe(outcome);
  }
  return outcome;
}

function clearToken(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[name='management_token']")) field.value = "";
}

function ConnectRefusal({ refusal }: { refusal: Refusal }) {
  if (refusal.code === "invalid_credential") {
    return (
      <RefusalNote
        refusal={{ ...refusal, message: "This public ID and this management token do not belong together." }}
      >
        Check both. A token that is lost cannot be shown again: the administrator can suspend the identity, and a new
        one is registered.
      </RefusalNote>
    );
  }
  return <RefusalNote refusal={refusal} />;
}

const ENDINGS: Record<Closed["ending"], string | null> = {
  none: null,
  left: null,
  asked: "Disconnected. The token is no longer in this tab. It is still valid: disconnecting revokes nothing.",
  idle: "Disconnected after 30 minutes without activity. The token is no longer in this tab. It is still valid: this revokes nothing.",
  refused: "Disconnected: the service no longer takes this token.",
};

function Ended({ ended }: { ended: Closed }) {
  const note = useRef<HTMLParagraphElement>(null);
  const sentence = ENDINGS[ended.ending];
  useEffect(() => {
    if (sentence) note.current?.focus();
  }, [sentence]);
  return (
    <p
      ref={note}
      role="status"
      tabIndex={-1}
      className="mb-6 max-w-measure border-accent border-s-2 ps-4 text-17 empty:hidden"
    >
      {sentence}
    </p>
  );
}

/** What happens to the token; the same words before and while a tab is connected. */
export function Assurances() {
  return (
    <ContextPart title="Where the token is">
      <p className="text-13">
        In this tab’s memory and nowhere else: no cookie, no storage, no address, no log, and no page that the server
        writes. Your browser sends it with each call to this service, as a program would.
      </p>
      <p className="mt-2 text-13">
        A reload, closing the tab, or 30 minutes without activity disconnect it. That revokes nothing: whoever has the
        token can still use it.
      </p>
    </ContextPart>
  );
}
