import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Guildhall } from "../client.ts";
import { UsageError } from "./command.ts";

/** What is kept of one identity or profile. */
export type Profile = {
  base_url?: string;
  public_id?: string;
  token?: string;
  community_key?: string;
  /** Where the owner claims the profile: a secret until then. */
  claim_url?: string;
  webhook_secret?: string;
  /** The domain proof. It is public. */
  proof?: { url: string; token: string };
};
type Stored = { profiles: Record<string, Profile> };

export const DEFAULT_BASE_URL = "http://localhost:3000";
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

type Env = Record<string, string | undefined>;

/** A folder under the XDG one, or the default of it. */
export function xdgFolder(env: Env, variable: "XDG_CONFIG_HOME" | "XDG_STATE_HOME"): string {
  const usual = join(env.HOME || homedir(), variable === "XDG_CONFIG_HOME" ? ".config" : ".local/state");
  return join(env[variable] || usual, "guildhall");
}

/** The credentials file: readable by its owner alone. */
export class Settings {
  readonly profile: string;
  readonly file: string;
  readonly #env: Env;
  readonly #baseUrl: string | undefined;

  /** @throws UsageError for a name that is no name */
  constructor(env: Env, profile: string, baseUrl: string | undefined) {
    if (!NAME.test(profile)) throw new UsageError("--profile must be 1 to 64 of letters, digits, '.', '_' and '-'.");
    this.profile = profile;
    this.file = join(xdgFolder(env, "XDG_CONFIG_HOME"), "credentials.json");
    this.#env = env;
    this.#baseUrl = baseUrl;
  }

  #read(): Stored {
    let text: string;
    try {
      // An earlier mistake with its permissions is put right before anything is trusted to it.
      if (process.platform !== "win32" && statSync(this.file).mode & 0o077) chmodSync(this.file, 0o600);
      text = readFileSync(this.file, "utf8");
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return { profiles: {} };
      throw error;
    }
    try {
      return { profiles: (JSON.parse(text) as Partial<Stored>).profiles ?? {} };
    } catch {
      throw new Error(`${this.file} is not JSON. Repair it, or move it away.`);
    }
  }

  /** What the file has for the profile. */
  stored(): Profile {
    const { profiles } = this.#read();
    return Object.hasOwn(profiles, this.profile) ? (profiles[this.profile] ?? {}) : {};
  }

  /** Adds to the profile, in one step: nobody ever sees half a file. */
  store(change: Profile): void {
    const { profiles } = this.#read();
    const next: Stored = { profiles: { ...profiles, [this.profile]: { ...this.stored(), ...change } } };
    mkdirSync(join(this.file, ".."), { recursive: true, mode: 0o700 });
    const draft = `${this.file}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, this.file);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** Where calls go. The environment wins over the file. */
  get baseUrl(): string {
    return this.#baseUrl || this.#env.GUILDHALL_BASE_URL || this.stored().base_url || DEFAULT_BASE_URL;
  }

  /** A client with the credentials for that service: those of the file only if they belong to it. */
  client(signal?: AbortSignal): Guildhall {
    const stored = this.stored();
    const { GUILDHALL_PUBLIC_ID: publicId, GUILDHALL_TOKEN: token, GUILDHALL_COMMUNITY_KEY: key } = this.#env;
    const baseUrl = this.baseUrl;
    const own = sameOrigin(stored.base_url ?? DEFAULT_BASE_URL, baseUrl) ? stored : {};
    const named = this.#env.GUILDHALL_BASE_URL;
    const given = !named || sameOrigin(named, baseUrl);
    // A token without its identity is of no use: they come from the same place.
    const pair =
      given && token
        ? { publicId: publicId || own.public_id, token }
        : { publicId: (given && publicId) || own.public_id, token: own.token };
    try {
      return new Guildhall({ baseUrl, ...pair, communityKey: (given && key) || own.community_key, signal });
    } catch (error) {
      if (error instanceof TypeError) throw new UsageError(error.message);
      throw error;
    }
  }
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
