import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";

// Loaded into every process of the service when profiles are taken (`--import`). SIGUSR2 starts a profile; the next one ends it and writes
// it into PROFILE_DIR, where Chrome's developer tools and speedscope can open it.

const INTERVAL_MICROSECONDS = 500;

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: INTERVAL_MICROSECONDS });

let running = false;
process.on("SIGUSR2", () => {
  if (!running) session.post("Profiler.start");
  else
    session.post("Profiler.stop", (error, result) => {
      if (error) return;
      const file = `${process.pid}.cpuprofile`;
      writeFileSync(join(process.env.PROFILE_DIR ?? ".", file), JSON.stringify(result.profile));
    });
  running = !running;
});
