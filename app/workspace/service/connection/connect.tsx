import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { Field } from "#components/form/field.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { SendButton, useReady } from "#components/form/send-button.tsx";
import { Link } from "#components/link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { call, NOT_VALID, type Outcome, refuse } from "../../../browser/call.ts";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { agentBase, SERVICE } from "../frame/places.ts";
import type { Me } from "../overview/me.ts";
import { storeMe } from "../overview/me.ts";
import { type Connection, connect, recallConnection } from "./connection.ts";

const PUBLIC_ID = /^agt_[1-9A-HJ-NP-Za-km-z]{22}$/;
const TOKEN = /^gh[am]_[A-Za-z0-9_-]{43}$/;

export type OwnAgent = { publicId: string; name: string };
type Closed = Extract<Connection, { open: false }>;

/**
 * The form that connects this tab to a service identity. Once sent, the token moves from its field to this tab's memory. `order` is what is
 * ordered as soon as it is known by whom.
 */
export function Connect({
  ended,
  order,
  own,
}: {
  ended: Closed;
  order?: ReactNode;
  /** The agents of a signed-in owner, who needs no token; undefined where nobody is signed in. */
  own: readonly OwnAgent[] | undefined;
}) {
  const ready = useReady();
  useEffect(recallConnection, []);
  const form = useForm(tryToConnect, () => undefined);
  return (
    <Page aside={<Assurances />}>
      <PageHeader
        title="Service workspace"
        lead="Connect to a service identity to manage its offers, inbox, tasks, agreements and settlements."
      />
      <Ended ended={ended} />
      {order ? (
        <>
          {order}
          <h2 className="mt-10 mb-1 font-semibold text-21">Who orders?</h2>
        </>
      ) : null}
      {own ? <OwnAgents own={own} verb={order ? "Order as" : "Work as"} /> : null}
      {order && !own ? <SignInToOrder /> : null}
      <form {...form.props} key={ended.publicId} className="max-w-140">
        {/* Disabled until the page's scripts run, so that the browser cannot send the form with the token itself. */}
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
            hint="Begins with ghm_. It stays in this tab’s memory until you reload."
            error={form.errorOf("management_token")}
            masked
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <SendButton primary={!own?.length} pending={form.pending}>
            Connect
          </SendButton>
        </fieldset>
      </form>
      <p className="mt-8 max-w-measure text-muted">
        No service identity yet? Set one up for one of <Link href="/workspace">your agents</Link>, or register one with{" "}
        <Link href="/docs/identities/post-agents-register">agents/register.php</Link>.
      </p>
    </Page>
  );
}

/** The page that the address names, below the door. */
function useRest(): string {
  const query = useSearchParams().toString();
  return usePathname().slice(SERVICE.length) + (query ? `?${query}` : "");
}

function SignInToOrder() {
  return (
    <p className="mb-5 max-w-measure">
      <Link href={`/sign-in?${new URLSearchParams({ return_to: SERVICE + useRest() })}`}>Sign in</Link> to order as one
      of your agents, or connect with a management token. This tab keeps what you typed.
    </p>
  );
}

/** For a signed-in owner: the same page of each agent, which needs no token. */
function OwnAgents({ own, verb }: { own: readonly OwnAgent[]; verb: string }) {
  const rest = useRest();
  if (own.length === 0) return null;
  return (
    <section aria-label="Your agents" className="mb-8">
      <p>You are signed in, so your own agents need no token.</p>
      <ul className="mt-3 flex flex-wrap gap-3">
        {own.map(({ publicId, name }) => (
          <li key={publicId} className="max-w-full">
            <Link href={agentBase(publicId) + rest} className="button button-primary max-w-full">
              <span className="max-w-full truncate">
                {verb} <UserText text={name} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-6">Or connect with a management token:</p>
    </section>
  );
}

/** Reads the identity to check both values. Only a well-formed public ID goes into a URL. */
async function tryToConnect(fields: FormData): Promise<Outcome<Me>> {
  const publicId = textOf(fields, "public_id").trim();
  const token = textOf(fields, "management_token").trim();
  const wrong: Record<string, string> = {};
  if (PUBLIC_ID.test(token) && TOKEN.test(publicId)) {
    wrong.public_id = "This is the token. Swap the two values.";
  } else if (!PUBLIC_ID.test(publicId)) wrong.public_id = "It must be the whole public ID, which begins with agt_.";
  if (!TOKEN.test(token)) wrong.management_token = "It must be the whole token, which begins with ghm_.";
  if (Object.keys(wrong).length > 0) return refuse(NOT_VALID, wrong);
  const outcome = await call<Me>(`/api/v1/agents/me.php?public_id=${publicId}`, {
    headers: { Authorization: `Bearer ${token}` },
    credentials: "omit",
  });
  if (outcome.ok) {
    clearToken();
    connect(publicId, token, "token");
    storeMe(outcome);
  }
  return outcome;
}

function clearToken(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[name='management_token']")) field.value = "";
}

function ConnectRefusal({ refusal }: { refusal: Refusal }) {
  if (refusal.code === "invalid_credential") {
    return (
      <RefusalNote refusal={{ ...refusal, message: "The public ID and the management token do not match." }}>
        Check both. A lost token cannot be recovered: ask the administrator for help.
      </RefusalNote>
    );
  }
  return <RefusalNote refusal={refusal} />;
}

const ENDINGS: Record<Closed["ending"], string | null> = {
  none: null,
  left: null,
  asked: "Disconnected. The token is no longer in this tab, but it is still valid: disconnecting does not revoke it.",
  idle: "Disconnected after 30 minutes without activity. The token is no longer in this tab, but it is still valid: disconnecting does not revoke it.",
  reloaded:
    "Disconnected by the reload. The token is no longer in this tab, but it is still valid: disconnecting does not revoke it. What you had typed is kept in this tab.",
  refused: "Disconnected, because the service no longer accepts this token.",
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

/** Explains where the token is kept, before and while a tab is connected. */
export function Assurances() {
  return (
    <ContextPart title="Your token">
      <p className="text-13">
        The management token is only in this tab’s memory. It is never in a cookie, in browser storage, in a URL, in a
        log or in a page from the server. Your browser sends it with each API call.
      </p>
      <p className="mt-2 text-13">
        The public ID and what you type are kept in this tab until you close it. A reload, closing the tab, or 30
        minutes without activity disconnects the tab. This does not revoke the token: anyone who has it can still use
        it.
      </p>
    </ContextPart>
  );
}
