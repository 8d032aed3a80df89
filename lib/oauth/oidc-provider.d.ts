/** The part of oidc-provider that the service uses. The package brings no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export type Payload = Record<string, unknown> & { jti?: string; grantId?: string };

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn: number): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Client {
    clientId: string;
    clientName?: string;
    redirectUris: string[];
    clientIdMetadataDocument?: boolean;
  }

  interface Model {
    jti: string;
    grantId?: string;
    accountId?: string;
    scopes?: Set<string>;
  }

  export interface Grant extends Model {
    exp: number;
    addResourceScope(resource: string, scope: string): void;
    save(ttl?: number): Promise<string>;
  }

  export interface Interaction extends Model {
    exp: number;
    returnTo: string;
    params: Record<string, unknown>;
    result?: unknown;
    save(ttl: number): Promise<string>;
  }

  export interface OidcContext {
    route: string;
    client?: Client;
    result?: { consent?: { grantId?: string }; login?: { accountId: string } };
    entities: Record<string, Model | undefined>;
    session: { accountId?: string };
  }

  export interface Context {
    path: string;
    method: string;
    status: number;
    query: Record<string, string | string[] | undefined>;
    body: unknown;
    type: string;
    req: IncomingMessage;
    res: ServerResponse;
    set(name: string, value: string): void;
    oidc: OidcContext;
  }

  export class Check {
    static REQUEST_PROMPT: true;
    static NO_NEED_TO_PROMPT: false;
    constructor(reason: string, description: string, check: (ctx: Context) => boolean | Promise<boolean>);
  }
  export class Prompt {
    constructor(options: { name: string; requestable?: boolean }, ...checks: Check[]);
  }
  export const interactionPolicy: { Check: typeof Check; Prompt: typeof Prompt };

  export namespace errors {
    class OIDCProviderError extends Error {}
    class InvalidTarget extends OIDCProviderError {
      constructor(description?: string);
    }
    class InvalidGrant extends OIDCProviderError {
      constructor(detail: string);
    }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    proxy: boolean;
    readonly Client: { find(id: string): Promise<Client | undefined> };
    readonly Grant: {
      new (payload: { jti?: string; accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly Interaction: { find(uid: string): Promise<Interaction | undefined> };
    static readonly ctx: Context | undefined;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: string, listener: (...args: never[]) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
