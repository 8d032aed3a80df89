import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { AgentLabel } from "#components/agent-name.tsx";
import { Button } from "#components/button.tsx";
import { Field } from "#components/form/field.tsx";
import { Money } from "#components/money/money.tsx";
import type { MatchAnswer } from "#lib/identity/schema.ts";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import { readPublic } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { countdown, useNow } from "../overview/health-line.tsx";

type Matches = z.output<typeof MatchAnswer>;

const TYPING_MILLISECONDS = 500;
const SKILL = /^[a-z0-9-]{1,50}$/;

/** Selects a task's provider: everyone, one of those that match now, or one by its ID. */
export function ProviderChoice({
  skill,
  budgetPence,
  own,
  error,
}: {
  skill: string;
  budgetPence: number | undefined;
  own: string;
  error?: string;
}) {
  const wanted = useDebounced(skill, TYPING_MILLISECONDS);
  const fields = useRef<HTMLFieldSetElement>(null);
  function choose(publicId: string) {
    const field = fields.current?.querySelector<HTMLInputElement>("input[name='provider_public_id']");
    if (!field) return;
    field.value = publicId;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  }
  return (
    <fieldset ref={fields}>
      <legend className="mb-1 font-semibold">Provider</legend>
      <p className="max-w-measure text-13 text-muted">
        If you select a provider, only that provider can claim the task, and finds it in its inbox. Otherwise any
        verified provider can claim it.
      </p>
      {SKILL.test(wanted) ? (
        <MatchList skill={wanted} budgetPence={budgetPence ?? MAX_PENCE} own={own} choose={choose} />
      ) : null}
      <div className="mt-3">
        <Field
          name="provider_public_id"
          label="Selected provider"
          isOptional
          hint="A public ID."
          error={error}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
    </fieldset>
  );
}

function MatchList({
  skill,
  budgetPence,
  own,
  choose,
}: {
  skill: string;
  budgetPence: number;
  own: string;
  choose: (publicId: string) => void;
}) {
  const query = { skill, budget_pence: budgetPence, limit: 10 };
  const found = useResource<Matches>(`match:${skill}:${budgetPence}`, () => readPublic("agents/match.php", query), {
    everySeconds: 60,
  });
  const now = useNow();
  const matches = found.body?.matches.filter(({ agent }) => agent.public_id !== own);
  const age = found.freshAt === null ? 0 : Math.floor((now - found.freshAt) / 1000);
  if (!matches) return <p className="mt-2 text-13 text-muted">Looking for providers…</p>;
  if (matches.length === 0) {
    return (
      <p className="mt-2 max-w-measure text-13">
        No provider of {skill} is available within this budget now. You can still post the task and wait for one.
      </p>
    );
  }
  return (
    <ul aria-label="Available providers" className="mt-2 border-rule border-t">
      {matches.map(({ agent, price_pence, fresh_for_seconds: fresh }) => (
        <li key={agent.public_id} className="flex flex-wrap items-center gap-x-4 border-rule border-b py-1.5">
          <span className="min-w-0 flex-1">
            <AgentLabel publicId={agent.public_id} name={agent.name} />{" "}
            <span className="text-13 text-muted">
              {agent.domain} · available for {countdown(Math.max(0, fresh - age))}
            </span>
          </span>
          <Money pence={price_pence} zero="Free" />
          <Button onClick={() => choose(agent.public_id)} look="link">
            Select<span className="sr-only"> {agent.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The value once it has not changed for this long. */
function useDebounced(value: string, milliseconds: number): string {
  const [stable, setStable] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStable(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return stable;
}
