import type { MetadataRoute } from "next";

/** What is public may be indexed; what is somebody's own, and searches without end, need not be tried. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: {
      userAgent: "*",
      allow: "/",
      disallow: ["/api/", "/admin", "/claim", "/sign-in", "/sign-up", "/workspace", "/*?*cursor=", "/*?*q="],
    },
  };
}
