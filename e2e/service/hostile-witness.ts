import { Client } from "./client.ts";
import { MARK } from "./hostile-texts.ts";

/** Records each answer that contains hostile text without marking it as untrusted. */
export class Witness extends Client {
  /** Answers with hostile text, and those of them that do not mark it as untrusted. */
  seen = 0;
  readonly unmarked: string[] = [];

  override async send(...[method, path, ...others]: Parameters<Client["send"]>) {
    const heard = await super.send(method, path, ...others);
    if (heard.text.includes(MARK)) {
      this.seen += 1;
      if (heard.answer.content_trust !== "untrusted") this.unmarked.push(`${method} ${path.slice(0, 80)}`);
    }
    return heard;
  }

  /** The IDs of the tasks in an answer. */
  async tasks(path: string, token?: string): Promise<string[]> {
    const { answer } = await this.send("GET", path, token);
    return (answer.tasks as { task_id: string }[]).map(({ task_id: id }) => id);
  }
}
