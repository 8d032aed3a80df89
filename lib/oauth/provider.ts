import { generateKeyPairSync } from "node:crypto";
import Provider, { type Client, type Context, errors, interactionPolicy } from "oidc-provider";
import { type Env, env } from "#lib/kernel/env.ts";
import { keysFor } from "#lib/kernel/keys.ts";
import { log } from "#lib/kernel/log.ts";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";
import { staticPage } from "#lib/kernel/static-page.ts";
import { findOwnerActor } from "#lib/owners/sessions/session.ts";
import { adapterFor, systemContext } from "./adapter.ts";
import { fetchDocument } from "./clients.ts";
import { issueAccess } from "./issue.ts";
import { storeRequest } from "./requests.ts";
import { CANNOT_CONNECT, isForBrowser, resourceOf } from "./resources.ts";

/** How long a request waits for the owner, and a code for the program. */
const INTERACTION_SECONDS = 600;
const CODE_SECONDS = 60;
const TOKEN_SECONDS = 3_600;
/** The connection decides how long its refresh tokens work; this only bounds it. */
const CONNECTION_SECONDS = 366 * 86_400;

const { Check, Prompt } = interactionPolicy;

const ALL_SCOPES = SCOPE_NAMES.join(" ");

/**
 * Every request goes to the consent page: nothing is approved in advance. It goes on only in a browser that is signed in to the account
 * that gave the consent, so that nobody can have another person approve their own request.
 */
const consent = new Prompt(
  { name: "consent", requestable: true },
  new Check("owner_consent", "the owner of an agent has to allow this", async ({ oidc, req }) => {
    const { consent: given, login } = oidc.result ?? {};
    if (!given?.grantId || !login) return true;
    const signedIn = await findOwnerActor(req.headers.cookie ?? null);
    return signedIn?.id !== login.accountId;
  }),
);

function configuration() {
  const off = { enabled: false };
  return {
    adapter: adapterFor,
    scopes: [...SCOPE_NAMES],
    responseTypes: ["code"],
    clientAuthMethods: ["none"],
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "ES256",
    },
    cookies: {
      keys: keysFor("oauth cookie").map(({ bytes }) => bytes.toString("base64url")),
      long: { httpOnly: true, sameSite: "lax" },
      short: { httpOnly: true, sameSite: "lax" },
    },
    // No ID token is ever issued: this key only satisfies the library.
    jwks: { keys: [unusedKey()] },
    routes: {
      authorization: "/oauth/authorize",
      token: "/oauth/token",
      revocation: "/oauth/revoke",
      jwks: "/oauth/jwks",
    },
    features: {
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      rpInitiatedLogout: off,
      userinfo: off,
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02", cacheDuration: { min: 30, max: 86_400 } },
      resourceIndicators: {
        enabled: true,
        defaultResource() {
          throw new errors.InvalidTarget("resource is required, exactly once");
        },
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx: Context, uri: string) {
          if (!resourceOf(uri)) throw new errors.InvalidTarget("unknown resource");
          return { scope: ALL_SCOPES, audience: uri, accessTokenFormat: "opaque", accessTokenTTL: TOKEN_SECONDS };
        },
      },
    },
    fetch: (url: string | URL) => fetchDocument(String(url)),
    interactions: {
      policy: [consent],
      async url({ oidc }: Context, { jti, params }: { jti: string; params: Record<string, unknown> }) {
        const asked = String(params.scope ?? "").split(" ");
        await storeRequest(
          jti,
          {
            clientId: String(params.client_id),
            clientName: oidc.client?.clientName ?? "",
            redirectUri: String(params.redirect_uri),
            scopes: SCOPE_NAMES.filter((name) => asked.includes(name)),
            resource: String(params.resource),
          },
          INTERACTION_SECONDS,
        );
        return `/connect/${jti}`;
      },
    },
    loadExistingGrant: ({ oidc }: Context) => oidc.result?.consent?.grantId && findGrant(oidc.result.consent.grantId),
    // The owner's agents are checked whenever a token is issued.
    findAccount: (_ctx: Context, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    ttl: {
      Interaction: INTERACTION_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      AccessToken: TOKEN_SECONDS,
      RefreshToken: CONNECTION_SECONDS,
      Grant: CONNECTION_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    renderError: showError,
  };
}

/** A program gives up its own tokens only. */
const isOwnToken = (_ctx: Context, client: Client, token: { clientId?: string }) => token.clientId === client.clientId;

/** An error that leads back to no program: the person who came with its request reads it. */
function showError(ctx: Context, { error, error_description: detail }: { error: string; error_description?: string }) {
  if (!isForBrowser(ctx.path)) {
    ctx.type = "application/json";
    ctx.body = { error, error_description: detail };
    return;
  }
  const problem = (detail ? `${error}: ${detail}` : error).slice(0, 300);
  const what = `Its request has a mistake (${problem}), so your browser is not sent back to it, and nothing was allowed. Start again in the program. If this keeps happening, show its maker this page.`;
  const page = staticPage({ title: CANNOT_CONNECT, what }, String(ctx.res.getHeader("X-Request-Id")));
  for (const [name, value] of Object.entries(page.headers)) ctx.set(name, value);
  ctx.body = page.body;
}

function unusedKey() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256", kid: "unused" };
}

const providers = new WeakMap<Env, Provider>();

/** The authorization server of this configuration. */
export function authorizationServer(): Provider {
  const known = providers.get(env());
  if (known) return known;
  const made = new Provider(env().baseUrl, configuration());
  // Its addresses follow from headers that serve.ts sets from the base URL.
  made.proxy = true;
  made.use(withOrdinaryTokens);
  made.on("server_error", (_ctx: never, error: Error) => log().error({ err: error.message }, "oauth"));
  providers.set(env(), made);
  return made;
}

const findGrant = (id: string) => authorizationServer().Grant.find(id);

/** Replaces the library's access token by one of ours, once everything has been checked. */
async function withOrdinaryTokens(ctx: Context, next: () => Promise<void>): Promise<void> {
  // Without a scope, a program asks to read.
  if (ctx.path === "/oauth/authorize" && !ctx.query.scope) ctx.query = { ...ctx.query, scope: "read" };
  // Only the query leads back to a program: other modes are pages of the library.
  if (![undefined, "query"].includes(ctx.query.response_mode as string | undefined)) {
    ctx.status = 400;
    showError(ctx, { error: "invalid_request", error_description: "response_mode must be query" });
    return;
  }
  await next();
  const granted = ctx.path === "/oauth/token" && ctx.status === 200 ? ctx.oidc.entities.AccessToken : undefined;
  if (!granted?.grantId) return;
  const issued = await issueAccess(systemContext(), granted.grantId, [...(granted.scopes ?? [])]);
  if (!issued) {
    ctx.status = 400;
    ctx.body = { error: "invalid_grant", error_description: "this connection has ended" };
    return;
  }
  const { token, scopes, expiresIn } = issued;
  const { refresh_token } = ctx.body as { refresh_token?: string };
  ctx.body = {
    access_token: token,
    token_type: "Bearer",
    expires_in: expiresIn,
    scope: scopes.join(" "),
    refresh_token,
  };
}
