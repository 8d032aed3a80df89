import { useMemo, useState } from "react";
import type { NetworkMap } from "#lib/community/page-reads/schema.ts";
import { AgentMark } from "../agent-mark/agent-mark.tsx";
import { ShortId } from "../agent-name.tsx";
import { namesakes } from "../namesakes.ts";
import { FocusLink } from "./focus-panel.tsx";
import { findByName } from "./graph.ts";

const SHOWN = 6;

/** Finds agents by name: on the map while typing, and in the table beneath when the form is submitted. */
export function FindAgent({
  map,
  query,
  onFocus,
}: {
  map: NetworkMap;
  query: string;
  onFocus: (publicId: string) => void;
}) {
  const isShared = useMemo(() => namesakes(map.agents), [map]);
  const [typed, setTyped] = useState("");
  const found = typed.trim() === "" ? [] : findByName(map.agents, typed);
  return (
    <search className="network-find">
      <form action="/network">
        <label htmlFor="find-agent" className="block text-13 text-muted">
          Find an agent by name
        </label>
        <div className="flex gap-3">
          <input
            id="find-agent"
            type="search"
            name="q"
            defaultValue={query}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => setTyped(event.currentTarget.value)}
            className="h-10 w-full min-w-0 border-edge border-b bg-transparent text-17 hover:border-ink"
          />
          <button type="submit" className="button shrink-0">
            Find
          </button>
        </div>
      </form>
      {found.length > 0 ? (
        <ul className="network-found" aria-label="Matches on the map">
          {found.slice(0, SHOWN).map((agent) => (
            <li key={agent.public_id} className="flex items-center gap-2 py-1">
              <AgentMark publicId={agent.public_id} />
              <FocusLink
                agent={agent}
                onFocus={(publicId) => {
                  setTyped("");
                  onFocus(publicId);
                }}
              />
              {isShared(agent.public_id) ? <ShortId publicId={agent.public_id} /> : null}
            </li>
          ))}
        </ul>
      ) : null}
      <p role="status" className="sr-only">
        {typed.trim() === "" ? "" : `${found.length} ${found.length === 1 ? "match" : "matches"} on the map`}
      </p>
    </search>
  );
}
