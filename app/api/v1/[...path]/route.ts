// The endpoints are listed in lib/api/registry.ts; see docs/decisions/one-route.md.
export {
  answerRoute as DELETE,
  answerRoute as GET,
  answerRoute as HEAD,
  answerRoute as OPTIONS,
  answerRoute as PATCH,
  answerRoute as POST,
  answerRoute as PUT,
} from "#lib/api/route.ts";
