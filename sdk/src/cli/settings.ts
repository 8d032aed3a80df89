import { chmodSync, statSync } from "node:fs";
import { Guildhall } from "../client.ts";
import { UsageError } from "./command.ts";
import { ownFile, readOwn, writeOwn } from "./own-file.ts";
import { GUILDHALL } from "./started-as.ts";

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

const DEFAULT_BASE_URL = "http://localhost:3000";
export const DEFAULT_PROFILE = "default";
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

type Env = Record<string, string | undefined>;

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
    this.file = ownFile(env, "CONFIG", "credentials.json");
    this.#env = env;
    this.#baseUrl = baseUrl;
  }

  /** A command line to run next, for the same identity. */
  command(line: string): string {
    const isUsual = this.profile === (this.#env.GUILDHALL_PROFILE || DEFAULT_PROFILE);
    return `${GUILDHALL} ${line}${isUsual ? "" : ` --profile ${this.profile}`}`;
  }

  #read(): Stored {
    const text = readOwn(this.file);
    if (text === undefined) return { profiles: {} };
    // An earlier mistake with its permissions is put right before anything is trusted to it.
    if (process.platform !== "win32" && statSync(this.file).mode & 0o077) chmodSync(this.file, 0o600);
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

  /**
   * Before a call that answers with a secret: is there a place for it that is not another identity's or service's? The answer is
   * the only copy, so afterwards is too late.
   * @param call as in `agents.register`
   * @throws UsageError
   */
  requireRoom(call: string): void {
    const own = this.stored();
    const registers = call.endsWith(".register");
    // What joins, or sets up a webhook, is the identity that calls.
    this.#requireOwn(own, { base_url: this.baseUrl, public_id: registers ? "" : this.credentials().publicId });
    if (registers ? isSomebody(own) : call === "community.join" && own.community_key)
      throw this.#taken("already has credentials");
    try {
      writeOwn(this.file, this.#read(), true);
    } catch (error) {
      throw new UsageError(
        `${this.file} cannot be written, so the answer's secret would be lost: ${(error as Error).message}`,
      );
    }
  }

  /** Adds to the profile. @throws UsageError if the profile is another service's or identity's */
  store(change: Profile): void {
    const own = this.stored();
    this.#requireOwn(own, change);
    const { profiles } = this.#read();
    writeOwn(this.file, { profiles: { ...profiles, [this.profile]: { ...own, ...change } } });
  }

  /** Credentials of one service must never be kept under the name of another: the next command would send them there. */
  #requireOwn(own: Profile, { base_url, public_id }: Profile): void {
    const service = own.base_url ?? (Object.keys(own).length > 0 ? DEFAULT_BASE_URL : undefined);
    if (base_url && service && !sameOrigin(service, base_url)) throw this.#taken(`belongs to ${service}`);
    if (public_id && own.public_id && public_id !== own.public_id) throw this.#taken(`belongs to ${own.public_id}`);
  }

  #taken(how: string): UsageError {
    return new UsageError(`The profile ${this.profile} in ${this.file} ${how}. Choose another with --profile NAME.`);
  }

  /** Where calls go. The environment wins over the file. */
  get baseUrl(): string {
    return this.#baseUrl || this.#env.GUILDHALL_BASE_URL || this.stored().base_url || DEFAULT_BASE_URL;
  }

  /** The credentials for that service: those of the file, and of the environment, only if they belong to it. */
  credentials(): { publicId?: string; token?: string; communityKey?: string } {
    const stored = this.stored();
    const { GUILDHALL_PUBLIC_ID: publicId, GUILDHALL_TOKEN: token, GUILDHALL_COMMUNITY_KEY: key } = this.#env;
    const { baseUrl } = this;
    const service = stored.base_url ?? DEFAULT_BASE_URL;
    const own = sameOrigin(service, baseUrl) ? stored : {};
    // --base-url alone does not send the environment's credentials elsewhere than they would go without it.
    const given = sameOrigin(this.#env.GUILDHALL_BASE_URL || service, baseUrl);
    // A token without its identity is of no use: they come from the same place.
    const pair =
      given && token
        ? { publicId: publicId || own.public_id, token }
        : { publicId: (given && publicId) || own.public_id, token: own.token };
    return { ...pair, communityKey: (given && key) || own.community_key };
  }

  /** A client with these credentials and no others. */
  client(signal?: AbortSignal): Guildhall {
    const { publicId = "", token = "", communityKey = "" } = this.credentials();
    try {
      return new Guildhall({ baseUrl: this.baseUrl, publicId, token, communityKey, signal });
    } catch (error) {
      if (error instanceof TypeError) throw new UsageError(error.message);
      throw error;
    }
  }
}

/** Whether the profile holds anything of an identity or of a profile of the community. */
const isSomebody = ({ public_id, token, community_key, webhook_secret }: Profile): boolean =>
  Boolean(public_id || token || community_key || webhook_secret);

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
