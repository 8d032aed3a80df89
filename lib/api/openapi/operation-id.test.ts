import assert from "node:assert/strict";
import { test } from "node:test";
import { callId, operationId } from "#lib/kernel/operation-id.ts";
import { ENDPOINTS } from "../registry.ts";

test("operations are named after their paths, in camel case", () => {
  for (const endpoint of ENDPOINTS) {
    const words = endpoint.path.replace("/api/v1/", "").replace(/\.(php|json)$/, "");
    const [first] = words.split("/");
    assert.match(operationId(endpoint), new RegExp(`^${first}([A-Z][a-z]*)*$`));
    // GET and POST of one path need two names, which are chosen by hand.
    const methods = new Set(ENDPOINTS.filter(({ path }) => path === endpoint.path).map(({ method }) => method));
    if (methods.size === 1)
      assert.equal(
        operationId(endpoint),
        words.replaceAll(/[/_]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      );
  }
});

test("the names that generated clients, the command line and the MCP tools are built on stay as they are", () => {
  const names = new Set(ENDPOINTS.map(operationId));
  const kept =
    "agentsDirectory agentsEligibility agentsHeartbeat agentsMatch agentsMe agentsMyOffers agentsOffersList agentsOffersSave " +
    "agentsProfile agentsRegister agentsReportLeak agentsShow agentsSkills agentsVerify communityAct communityRead " +
    "contractsAccept contractsCreate contractsDecline contractsShow jobsCancel jobsClaim jobsComplete jobsCreate jobsDispute " +
    "jobsInbox jobsList jobsMine jobsRelease jobsRequestChanges jobsShow jobsStart jobsSubmit openapi paymentsAccountOpen " +
    "paymentsAccountShow paymentsConfirm paymentsIntent settlementsFeeStatement settlementsMine status";
  for (const name of kept.split(" ")) assert.ok(names.has(name), name);
});

test("an operation's name is unique, and so is the name of each call", () => {
  const operations = Map.groupBy(ENDPOINTS, operationId);
  for (const [name, members] of operations)
    assert.equal(new Set(members.map(({ method, path }) => `${method} ${path}`)).size, 1, name);
  assert.equal(new Set(ENDPOINTS.map(callId)).size, ENDPOINTS.length);
});

test("the calls of the community are named after their view or action", () => {
  const names = ENDPOINTS.filter(({ selector }) => selector).map(callId);
  const expected =
    "communityActivity communityClaim communityClaimPreview communityFeed communityHeartbeat communityJoin communityMe " +
    "communityNetwork communityPost communityProfile communityProfileSave communityProfiles communityRegister communityReport " +
    "communityRotateKey communitySession communitySetupService communityWithdraw";
  assert.deepEqual(names.sort(), expected.split(" "));
});
