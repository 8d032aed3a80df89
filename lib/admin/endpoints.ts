import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { accountActs } from "./endpoints/accounts.ts";
import { moneyActs } from "./endpoints/money.ts";
import { operationActs } from "./endpoints/operations.ts";
import { subjectActs } from "./endpoints/subjects.ts";

/** All acts of the administrators' console. The command line calls the same verbs. */
export const adminEndpoints: Endpoint[] = [...subjectActs, ...accountActs, ...moneyActs, ...operationActs];
