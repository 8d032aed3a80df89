import { ENDPOINTS } from "../registry.ts";
import { commandsSource } from "./commands.ts";
import { sdkSource } from "./source.ts";

/** The files of the SDK that are generated, by their paths from the root of the repository. */
export function sdkFiles(): Record<string, string> {
  return {
    "sdk/src/generated.ts": sdkSource(ENDPOINTS),
    "sdk/src/cli/generated.ts": commandsSource(ENDPOINTS),
  };
}
