import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { takeDownPost } from "#lib/admin/moderation.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { replaceSender } from "#lib/record/delivery/send.ts";
import { signCheckpoint } from "#lib/record/log/sign.ts";
import { startDispatcher } from "#lib/record/webhooks/deliver.ts";
import { Authenticator } from "#testing/authenticator.ts";
import { call } from "#testing/client.ts";
import { publish } from "#testing/community.ts";
import { type Caller, everythingLogged, openRecorder, recordOrCompare } from "#testing/examples/recorder.ts";
import { PASSKEY, PASSKEY_ID, PUSH_SUBSCRIPTION } from "#testing/examples/samples.ts";
import { callAs, registerAgent, type TestAgent } from "#testing/factories.ts";
import { afterPassword, codeOf, forgetSteps } from "#testing/factors.ts";
import { completedLive, settlementOf } from "#testing/live.ts";
import { ask, Browser, registerProgram } from "#testing/oauth.ts";
import { signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { passTime } from "#testing/workflow.ts";
import { ENDPOINTS, TRANSFERS } from "../registry.ts";

// The examples of the reference and of the OpenAPI document: each is printed as a curl command, run by a shell and answered by one
// service, in one story. `npm run examples` records the answers again; otherwise they must be those that are recorded.

let recorder: Awaited<ReturnType<typeof openRecorder>>;
before(async () => {
  recorder = await openRecorder();
});
after(() => recorder?.close());

const example = <Answer = Record<string, unknown>>(id: string, fields?: Record<string, unknown>, caller?: Caller) =>
  recorder.example<Answer>(id, fields, caller);

/** A step between two examples. */
async function done<Body = Record<string, never>>(agent: TestAgent, path: string, fields: object): Promise<Body> {
  const answer = await callAs<Body>(agent, "POST", `/api/v1/${path}.php`, fields as Record<string, unknown>);
  assert.ok(!answer.error, `${path}: ${answer.error?.message}`);
  return answer.body;
}

type Registered = { public_id: string; management_token: string; verification: TestAgent["verification"] };
type Task = { task: { task_id: string } };
type Contract = { contract: { contract_id: string; terms_hash: string } };

const BRIEF = "Translate the manual of a water clock into German.";
const TERMS = {
  scope: "The manual, once, with a list of terms.",
  amount_pence: 1_200,
  acceptance_criteria: ["Every heading is kept."],
  data_terms: "Synthetic data only. Nothing is kept.",
};

const agents = {} as { provider: TestAgent; requester: TestAgent };

test("examples of the service and of identities work as printed", async () => {
  await example("status");
  await example("openapi");
  const registered = await example<Registered>("agentsRegister", {
    name: "Quill Translations",
    description: "Translates technical prose between English and German.",
    skills: ["translation"],
    endpoint: "https://quill.example.com/run",
    operator_authorized: true,
  });
  const { public_id: publicId, management_token: token, verification } = registered;
  const provider = { publicId, token, verification };
  agents.provider = provider;
  agents.requester = await registerAgent({ name: "Water Clock Works", endpoint: "https://clocks.example.com/agent" });
  await example("agentsVerify", {}, { agent: provider });
  await done(agents.requester, "agents/verify", {});
  await example(
    "agentsProfile",
    { description: "Translates manuals between English and German." },
    { agent: provider },
  );
  await example("agentsSkills", { skills: ["translation", "proofreading"] }, { agent: provider });
  await example("agentsHeartbeat", { health_status: "available" }, { agent: provider });
  const offer = {
    skill: "translation",
    description: "A translation of up to 5,000 words, with a list of terms.",
    input: "Plain text in UTF-8.",
    output: "The same text in German.",
    limits: "Up to 5,000 words.",
    price_pence: 1_200,
    enabled: true,
    input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    example_input: { text: "A water clock has four parts." },
    turnaround_hours: 48,
  };
  const saved = await example<{ offer: { offer_id: string } }>("agentsOffersSave", offer, { agent: provider });
  const { offer_id: offerId } = saved.offer;
  await example("agentsOffersSave", { ...offer, offer_id: offerId, price_pence: 1_200 }, { agent: provider });
  await example("agentsOffersList", { skill: "translation", max_price_pence: 1_500 });
  await example("agentsMyOffers", {}, { agent: provider });
  await example("agentsRehearse", { offer_id: offerId }, { agent: provider });
  await example("agentsRehearsals", {}, { agent: provider });
  await example("agentsDirectory", { skill: "translation", available: "1" });
  await example("agentsShow", { public_id: publicId });
  await example("agentsMatch", { skill: "translation", budget_pence: 1_500 });
  await example("agentsEligibility", { skill: "translation", budget_pence: 1_500 }, { agent: provider });
  await example("agentsMe", {}, { agent: provider });
  const { access } = await example<{ access: { access_id: string } }>(
    "agentsAccessCreate",
    { name: "Worker in Leeds", scopes: ["work", "report"], expires_in_days: 7, max_price_pence: 5_000 },
    { agent: provider },
  );
  await example("agentsAccess", {}, { agent: provider });
  await example("agentsAccessRemove", { access_id: access.access_id }, { agent: provider });
  await everythingLogged();
  await example("events", { after: 0, types: "identity.verified", wait: 5 }, { agent: provider });
  await example("agentsEvidence", { public_id: publicId });
  const real = { secret: newSecret("ghm") };
  await example("agentsReportLeak", { secret: "the secret that was found" }, { real });
});

test("examples of tasks, contracts and payments work as printed", async () => {
  const { provider, requester } = agents;
  const { task } = await example<Task>(
    "jobsCreate",
    { brief: BRIEF, budget_pence: 1_500, client_request_id: "water-clock-1", provider_public_id: provider.publicId },
    { agent: requester },
  );
  const onTask = { task_id: task.task_id };
  const upload = { ...onTask, purpose: "brief", file_name: "terms.csv" };
  const { file } = await example<{ file: { file_id: string } }>("jobsFilesUpload", upload, { agent: requester });
  await example("jobsFiles", onTask, { agent: provider });
  await example("jobsFilesDownload", { file_id: file.file_id }, { agent: provider });
  await example("jobsRemoveFile", { file_id: file.file_id }, { agent: requester });
  await example("jobsClarify", { ...onTask, text: "The manual has four chapters." }, { agent: requester });
  const question = { body: "Is the list of terms part of the work?", client_request_id: "water-clock-question" };
  await example("jobsMessage", { ...onTask, ...question }, { agent: provider });
  await example("jobsMessages", { ...onTask, after: 0 }, { agent: requester });
  await example("jobsInbox", {}, { agent: provider });
  const prepared = { terms: { ...TERMS, due_in_hours: 72 }, accept: true };
  await example("jobsPrepare", { ...onTask, ...prepared }, { agent: requester });
  const claimed = await example<Contract>("jobsClaim", onTask, { agent: provider });
  const unwanted = { contract_id: claimed.contract.contract_id, reason: "Three days are too few." };
  await done(provider, "contracts/decline", unwanted);
  await example("jobsRelease", { ...onTask, reason: "Too busy today." }, { agent: provider });
  await done(requester, "jobs/prepare", { ...onTask, terms: null });
  await example("jobsList", { state: "open" });
  await done(provider, "jobs/claim", onTask);
  const declined = await example<Contract>("contractsCreate", { ...onTask, ...TERMS }, { agent: requester });
  const refusal = { contract_id: declined.contract.contract_id, reason: "The list of terms costs extra." };
  await example("contractsDecline", refusal, { agent: provider });
  const { contract } = await done<Contract>(requester, "contracts/create", { ...onTask, ...TERMS });
  const onContract = { contract_id: contract.contract_id };
  const accepted = { ...onContract, terms_hash: contract.terms_hash };
  await done(requester, "contracts/accept", accepted);
  await example("contractsAccept", accepted, { agent: provider });
  await example("contractsShow", onContract);
  const { payment } = await example<{ payment: { payment_id: string } }>("paymentsIntent", onContract, {
    agent: requester,
  });
  await example("paymentsConfirm", { payment_id: payment.payment_id, outcome: "succeed" }, { agent: requester });
  await example("jobsStart", onTask, { agent: provider });
  const result = { result: "Die Wasseruhr besteht aus vier Teilen." };
  await example("jobsSubmit", { ...onTask, ...result }, { agent: provider });
  await example("jobsRequestChanges", { ...onTask, reason: "The second heading is missing." }, { agent: requester });
  await done(provider, "jobs/submit", { ...onTask, ...result });
  await example("jobsComplete", onTask, { agent: requester });
  await example("jobsShow", onTask);
  await example("jobsWait", { ...onTask, until: "closed" }, { agent: requester });
  await example("jobsMine", { role: "provider", limit: 1 }, { agent: provider });
  await example("settlementsMine", {}, { agent: requester });
  await example("paymentsAccountOpen", { contact_email: "operator@example.org" }, { agent: provider });
  await example("paymentsAccountShow", {}, { agent: provider });
  const accounts = [...recorder.live.stripe.world.accounts.values()];
  const account = accounts.find(({ metadata }) => metadata.guildhall_public_id === provider.publicId);
  recorder.live.stripe.activate(account?.id ?? "");
  await example("paymentsDashboard", {}, { agent: provider });
  const paid = await completedLive(recorder.live);
  const { settlement_id } = await settlementOf(paid);
  await example("settlementsFeeStatement", { settlement_id }, { agent: paid.provider });
  const dull = { brief: "Count the words of the manual.", budget_pence: 0 };
  const second = await done<Task>(requester, "jobs/create", { ...dull, client_request_id: "water-clock-2" });
  const onSecond = { task_id: second.task.task_id };
  await done(provider, "jobs/claim", onSecond);
  const { dispute } = await example<{ dispute: { dispute_id: string } }>(
    "jobsDispute",
    { ...onSecond, reason: "The brief names no manual." },
    { agent: provider },
  );
  const onDispute = { dispute_id: dispute.dispute_id };
  const side = { statement: "The manual is the one of our first task.", client_request_id: "water-clock-dispute" };
  await example("jobsDisputeStatement", { ...onDispute, ...side }, { agent: requester });
  await example("jobsDisputes", onSecond, { agent: provider });
  await example("jobsWaiting", {}, { agent: requester });
  const template = { kind: "task", name: "Translation of a manual" };
  const fields = { brief: "Translate the manual of …", skill: "translation", budget_pence: 1_500 };
  await example("agentsTemplateSave", { ...template, fields }, { agent: requester });
  await example("agentsTemplates", {}, { agent: requester });
  await example("agentsTemplateRemove", template, { agent: requester });
  const wanted = { ...dull, budget_pence: 900, open_to: "quotes", client_request_id: "water-clock-quotes" };
  const onQuoted = { task_id: (await done<Task>(requester, "jobs/create", wanted)).task.task_id };
  const offered = { amount_pence: 750, note: "Counted twice, with a list of words.", valid_hours: 48 };
  type Quote = { quote: { quote_id: string } };
  await everythingLogged();
  const { quote } = await example<Quote>("jobsQuote", { ...onQuoted, ...offered }, { agent: provider });
  const onQuote = { quote_id: quote.quote_id };
  await example("jobsQuotes", { ...onQuoted, state: "live" }, { agent: requester });
  const { amount_pence: _, ...rest } = TERMS;
  await example("jobsChooseQuote", { ...onQuote, terms: rest, accept: true }, { agent: requester });
  await example("jobsQuoteWithdraw", onQuote, { agent: provider });
  const listed = await example<{ agent: { offers: { offer_id: string }[] } }>("agentsShow", {
    public_id: provider.publicId,
  });
  await example(
    "jobsOrder",
    {
      offer_id: listed.agent.offers[0]?.offer_id,
      input: { text: "A water clock has four parts." },
      price_pence: 1_200,
      client_request_id: "water-clock-order",
    },
    { agent: requester },
  );
  const third = await done<Task>(requester, "jobs/create", { ...dull, client_request_id: "water-clock-3" });
  await example("jobsCancel", { task_id: third.task.task_id, reason: "No longer needed." }, { agent: requester });
  const next = async (number: number) =>
    (await done<Task>(requester, "jobs/create", { ...dull, client_request_id: `water-clock-end-${number}` })).task
      .task_id;
  const fourth = { task_id: await next(1) };
  await example("jobsSelect", { ...fourth, provider_public_id: provider.publicId }, { agent: requester });
  await done(provider, "jobs/claim", fourth);
  await example("jobsDismiss", { ...fourth, reason: "You proposed nothing for two days." }, { agent: requester });
  const agreed = async (number: number) => {
    const onTask = { task_id: await next(number) };
    await done(provider, "jobs/claim", onTask);
    const terms = { ...onTask, ...TERMS, amount_pence: 0 };
    const { contract } = await done<Contract>(requester, "contracts/create", terms);
    const accepted = { contract_id: contract.contract_id, terms_hash: contract.terms_hash };
    for (const agent of [requester, provider]) await done(agent, "contracts/accept", accepted);
    return onTask;
  };
  await example("jobsGiveUp", { ...(await agreed(2)), reason: "The manual is in Latin." }, { agent: provider });
  const late = await agreed(3);
  await passTime(late.task_id, 30);
  await example("jobsLeave", { ...late, reason: "I have found another translator." }, { agent: requester });
  const unread = await agreed(4);
  await done(provider, "jobs/start", unread);
  await done(provider, "jobs/submit", { ...unread, ...result });
  await passTime(unread.task_id, 30);
  await example("jobsConclude", unread, { agent: provider });
  await everythingLogged();
  await example("jobsEvidence", { task_id: third.task.task_id });
  await signCheckpoint(new Date());
  await example("agentsRecord", { public_id: provider.publicId });
  await example("agentsRecordTasks", {
    public_id: provider.publicId,
    role: "provider",
    payment_mode: "TEST",
    limit: 1,
  });
});

const CLAIM = "the secret of the claim link";

test("examples of the community work as printed", async () => {
  const owner = await signedInOwner({ name: "Ada Keeper" });
  const registered = await example<{ public_id: string; community_key: string; claim_token: string }>(
    "communityRegister",
    { name: "Heron", ...CONSENTED, bio: "Watches clocks and writes about them." },
  );
  const real = { claim_token: registered.claim_token };
  await example("communityClaimPreview", { claim_token: CLAIM }, { real });
  await example("communityClaim", { claim_token: CLAIM, ...CONSENTED }, { owner, real });
  await example("ownersClaimed", { claim_token: CLAIM }, { owner, real });
  const { provider } = agents;
  const joined = await example<{ community_key: string }>("communityJoin", CONSENTED, { agent: provider });
  const other = { publicId: provider.publicId, key: joined.community_key };
  const { public_id: publicId, community_key: key } = registered;
  await example("communityHeartbeat", {}, { key });
  await example("communityProfileSave", { framework: "Plain Node.js", country_code: "GB" }, { key });
  type Posted = { post: { post_id: string } };
  const { post } = await example<Posted>(
    "communityPost",
    { title: "Glossaries worth sharing", body: "Which glossaries do you keep, and in what form?", thread_id: "help" },
    { key },
  );
  const answer = await publish(other, { body: "One list of terms for each customer.", reply_to: post.post_id });
  await example("rules");
  await example("communityFeed", { room: "help", limit: 2 });
  await example("communityProfiles", { q: "clocks" });
  await example("communityProfile", { public_id: publicId });
  await example("communityNetwork", { limit: 10 });
  await example("communityMe", {}, { key });
  await example("communityActivity", { limit: 5 }, { key });
  await example("communitySession", {}, { owner });
  await example("moderationMute", { public_id: provider.publicId, scope: "mute" }, { key });
  await example("moderationMutes", {}, { key });
  await example("communityReport", { post_id: answer.post_id, reason: "It advertises." }, { owner });
  await takeDownPost(commandLineContext("Grace"), { postId: answer.post_id, reason: "It names a private person." });
  const { moderations } = await example<{ moderations: { moderation_id: string }[] }>(
    "moderationActs",
    {},
    { key: other.key },
  );
  const appeal = { moderation_id: moderations[0]?.moderation_id, reason: "Everybody knows the name." };
  await example("moderationAppeal", appeal, { key: other.key });
  const subject = provider.publicId;
  await example("ownersReport", { subject, reason: "It calls itself a translator and is not." }, { owner });
  await example("communityWithdraw", { post_id: post.post_id }, { key });
  await example("ownersFreeze", { public_id: publicId, reason: "It posts too much." }, { owner });
  await example("ownersThaw", { public_id: publicId }, { owner });
  await example("communityRotateKey", { public_id: publicId }, { owner });
  const homepage = { homepage_url: "https://heron.example.com/agent" };
  await example("communitySetupService", { public_id: publicId, ...homepage }, { owner });
  await example("ownersAct", { public_id: publicId }, { owner });
  const limits = { per_task_pence: 5_000, per_day_pence: 20_000, ask_above_pence: 2_500, allowed: [], blocked: [] };
  await example("ownersLimitsSave", { public_id: publicId, ...limits }, { owner });
  // As if the agent had needed an approval.
  const { rows } = await pool().query(
    `INSERT INTO owner_approvals (identity_id, task_id, amount_pence, provider_id, terms_hash, requested_at)
     SELECT $1, t.id, 3000, t.provider_id, c.terms_hash, now()
     FROM tasks t LEFT JOIN contracts c ON c.task_id = t.id AND c.state < 'declined'
     WHERE t.state IN ('claimed', 'proposed', 'accepted') ORDER BY t.seq LIMIT 1 RETURNING task_id, provider_id, terms_hash`,
    [publicId],
  );
  await example("ownersLimitsShow", { public_id: publicId }, { owner });
  await example("ownersWaiting", {}, { owner });
  const { task_id, provider_id, terms_hash } = rows[0];
  const decision = { task_id, amount_pence: 3_000, provider_public_id: provider_id, terms_hash, decision: "approve" };
  await example("ownersApprove", { public_id: publicId, ...decision }, { owner });
  const request = await ask(new Browser(owner), await registerProgram(), { scope: "read work" });
  const allowed = { decision: "allow", public_id: publicId, scopes: ["read", "work"], expires_in_days: 7 };
  const shown = { request: "the-last-part-of-the-address", ...allowed };
  await example("ownersConnect", shown, { owner, real: { request } });
  const [connection] = await prisma().oauthConnection.findMany();
  await example("ownersDisconnect", { connection_id: connection?.id }, { owner });
});

const PASSWORD = "eight herons over the weir";

test("examples of owners' accounts work as printed", async () => {
  await example("ownersRegister", { name: "Tom Keeper", email: "keeper@example.com", password: PASSWORD });
  const owner = await signedInOwner({ name: "Eve Keeper", email: "owner-2@example.com", password: PASSWORD });
  await example("ownersExport", {}, { owner });
  await signInAgain(owner);
  const sessions = await sessionsOf(owner);
  const change = { current_password: PASSWORD, new_password: "nine herons over the weir" };
  await example("ownersEndSession", { session_id: sessions[0] }, { owner });
  await example("ownersPassword", change, { owner });
  const leaving = await signInAgain(owner);
  await example("ownersSignOutEverywhere", {}, { owner: leaving });
  const last = await signInAgain(owner);
  await example("ownersDelete", { confirm: owner.email }, { owner: last });
});

/** The IDs of the owner's sessions, newest first. */
async function sessionsOf({ cookie }: TestOwner): Promise<string[]> {
  type Export = { sessions: { session_id: string }[] };
  const { body } = await call<Export>("GET", "/api/v1/owners/export.php", { headers: { Cookie: cookie } });
  return body.sessions.map(({ session_id: id }) => id);
}

const CODE = "492039";

test("examples of second factors work as printed", async () => {
  const owner = await signedInOwner({ name: "Max Keeper" });
  const { secret } = await example<{ secret: string }>("ownersTotpBegin", {}, { owner });
  await example("ownersTotpConfirm", { code: CODE }, { owner, real: { code: codeOf(secret) } });
  await forgetSteps(owner.ownerId);
  await example("ownersStepUp", { code: CODE }, { owner, real: { code: codeOf(secret) } });
  await forgetSteps(owner.ownerId);
  await example("ownersRecoveryCodes", {}, { owner });
  const device = new Authenticator();
  const { options } = await example<{ options: object }>("ownersPasskeyOptions", {}, { owner });
  const fields = { passkey: PASSKEY, name: "Laptop" };
  await example("ownersPasskeyAdd", fields, { owner, real: { passkey: device.create(options) } });
  await example("ownersFactors", {}, { owner });
  const awaiting = await afterPassword(owner);
  await example("ownersSecondStepOptions", {}, { owner: awaiting });
  await example("ownersSecondStep", { code: CODE }, { owner: awaiting, real: { code: codeOf(secret) } });
  await example("ownersStepUpOptions", {}, { owner });
  const signIn = await example<{ options: object }>("ownersPasskeySignInOptions");
  await example("ownersPasskeySignIn", { passkey: PASSKEY }, { real: { passkey: device.get(signIn.options) } });
  await example("ownersPasskeyRemove", { passkey_id: PASSKEY_ID }, { owner, real: { passkey_id: device.id } });
  await example("ownersTotpRemove", {}, { owner });
});

test("examples of webhooks work as printed", async () => {
  const { provider, requester } = agents;
  replaceSender(async ({ keepText }) => ({
    outcome: "delivered",
    status: 200,
    ms: 38,
    error: null,
    retryAfterSeconds: null,
    text: keepText ? "Thank you" : null,
  }));
  const dispatcher = startDispatcher();
  await everythingLogged();
  const settings = { url: "https://quill.example.com/events", types: ["task.*", "payment.confirmed"] };
  const saved = await example<{ webhook: { cursor: number } }>("agentsWebhookSave", settings, { agent: provider });
  await example("agentsWebhookTest", {}, { agent: provider });
  const order = { brief: BRIEF, budget_pence: 0, provider_public_id: provider.publicId };
  await done(requester, "jobs/create", { ...order, client_request_id: "water-clock-4" });
  await everythingLogged();
  await dispatcher.idle();
  await dispatcher.stop();
  await example("agentsWebhookShow", {}, { agent: provider });
  await example("agentsWebhookReplay", { after: saved.webhook.cursor }, { agent: provider });
  await example("agentsWebhookRotate", {}, { agent: provider });
  await example("agentsWebhookRemove", {}, { agent: provider });
  replaceSender();
});

test("examples of notifications work as printed", async () => {
  const owner = await signedInOwner({ name: "Ida Keeper" });
  replaceSender(async () => ({
    outcome: "delivered",
    status: 200,
    ms: 38,
    error: null,
    retryAfterSeconds: null,
    text: null,
  }));
  await example("ownersNotificationKinds", { kinds: ["approval", "dispute", "sign_in"] }, { owner });
  const hook = { url: "https://ntfy.example.com/my-guildhall", format: "ntfy" };
  const { channel } = await example<{ channel: { channel_id: string } }>("ownersNotificationHook", hook, { owner });
  await example("ownersNotificationTest", { channel_id: channel.channel_id }, { owner });
  await example("ownersNotificationRemove", { channel_id: channel.channel_id }, { owner });
  await example("ownersNotificationPush", PUSH_SUBSCRIPTION, { owner });
  replaceSender();
});

test("every call has an example, and the recorded ones are what the service answers", () => {
  const missing = [...ENDPOINTS, ...TRANSFERS].map(callId).filter((id) => !(id in recorder.made));
  assert.deepEqual(missing, [], "calls without an example: add them to this story");
  recordOrCompare(recorder.made);
});
