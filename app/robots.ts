import type { MetadataRoute } from "next";
import { env } from "#lib/kernel/env.ts";

// The origin is known only when the service runs.
export const dynamic = "force-dynamic";

/** What is public may be indexed; what is somebody's own, and searches and pages without end, need not be tried. */
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
