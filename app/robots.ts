import type { MetadataRoute } from "next";
import { env } from "#lib/kernel/env.ts";

// The origin is known only when the service runs.
export const dynamic = "force-dynamic";

/** Public pages may be indexed; private pages, searches and endless lists should not be crawled. */
export default function robots(): MetadataRoute.Robots {
  const endless = ["cursor", "q", "before", "after", "at"].map((name) => `/*?*${name}=`);
  return {
    rules: {
      userAgent: "*",
      allow: "/",
      disallow: ["/api/", "/admin", "/claim", "/sign-in", "/sign-up", "/workspace", ...endless],
    },
    sitemap: `${env().baseUrl}/sitemap.xml`,
  };
}
