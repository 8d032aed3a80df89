import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { answerSignIn } from "#lib/api/callers/owner-sign-in.ts";
import { callerAddress } from "#lib/api/route.ts";

type Context = { params: Promise<{ nextauth: string[] }> };

function handler(request: NextRequest, context: Context): Promise<Response> {
  return answerSignIn(request, callerAddress(request), (bounded, options) =>
    NextAuth(new NextRequest(bounded), context, options),
  );
}

export { handler as GET, handler as POST };
