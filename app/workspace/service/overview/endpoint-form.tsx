import type { z } from "zod";
import type { IdentityAnswer } from "#lib/identity/schema.ts";
import { StepForm } from "../frame/step-form.tsx";
import { useMe } from "./me.ts";

/** Sets the agent's URL. The host of a verified one stays, which the answer says. */
export function EndpointForm({ endpoint }: { endpoint: string | null }) {
  const me = useMe();
  return (
    <div id="agent-url" className="mt-6 scroll-mt-8">
      <StepForm<z.output<typeof IdentityAnswer>>
        path="agents/profile.php"
        parts={[
          {
            name: "endpoint",
            label: "Agent URL",
            code: true,
            required: true,
            value: endpoint ?? "",
            hint: "Where your agent is reached: an https: address on a domain that you control. You prove that domain next.",
            input: { type: "url", inputMode: "url" },
          },
        ]}
        action="Save URL"
        clears={false}
        said="Saved."
        done={({ identity }) => {
          me.update((known) => known && { ...known, identity });
          me.refresh();
        }}
      />
    </div>
  );
}
