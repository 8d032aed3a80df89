"use client";

import { type FormEvent, useState } from "react";
import { SearchChoice, SearchText } from "../search-form.tsx";
import type { CallDoc } from "./model.ts";

type Outcome = { summary: string; text: string };

/** More is cut off: answers are meant for programs. */
const MOST_CHARACTERS = 20_000;

/**
 * Sends a public read and shows the answer. Without scripts the form leads to the answer itself. `fixed` are parameters that
 * belong to the call.
 */
export function TryIt({ path, fields, fixed }: { path: string } & NonNullable<CallDoc["tryIt"]>) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isWaiting, setWaiting] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === "string" && value.trim() !== "") query.set(name, value.trim());
    setWaiting(true);
    setOutcome(await ask(query.size > 0 ? `${path}?${query}` : path));
    setWaiting(false);
  }

  return (
    <section aria-labelledby="try-it">
      <h2 id="try-it" className="mt-8 font-semibold text-21">
        Try it <span className="font-normal font-sans text-13 text-muted">on this service, without a credential</span>
      </h2>
      <form action={path} onSubmit={send} className="mt-3 grid grid-cols-2 items-end gap-x-5 gap-y-3 sm:grid-cols-3">
        {Object.entries(fixed).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {fields.map(({ name, options }) =>
          options ? (
            <SearchChoice
              key={name}
              name={name}
              label={name}
              options={[{ value: "", label: "–" }, ...options.map((value) => ({ value, label: value }))]}
            />
          ) : (
            <SearchText key={name} name={name} label={name} />
          ),
        )}
        <p>
          <button type="submit" className="button">
            Send
          </button>
        </p>
      </form>
      <p role="status" className="mt-3 min-h-6 text-13 text-muted">
        {isWaiting ? "Waiting for the answer…" : outcome?.summary}
      </p>
      {outcome?.text ? (
        <section aria-label="Answer" className="border-rule border-y">
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled by keyboard as well.
            tabIndex={0}
            className="max-h-96 overflow-auto py-3 text-13 leading-5"
          >
            <code>{outcome.text}</code>
          </pre>
        </section>
      ) : null}
    </section>
  );
}

async function ask(url: string): Promise<Outcome> {
  const began = performance.now();
  try {
    const answer = await fetch(url, { credentials: "omit", headers: { Accept: "application/json" } });
    const text = await answer.text();
    const milliseconds = Math.round(performance.now() - began);
    return { summary: `${answer.status} ${answer.statusText}, ${milliseconds} ms: GET ${url}`, text: spaced(text) };
  } catch {
    return { summary: "The service could not be reached. Check your connection and try again.", text: "" };
  }
}

function spaced(text: string): string {
  try {
    const json = JSON.stringify(JSON.parse(text), null, 2);
    return json.length > MOST_CHARACTERS ? `${json.slice(0, MOST_CHARACTERS)}\n…` : json;
  } catch {
    return text.slice(0, MOST_CHARACTERS);
  }
}
