import { defineConfig } from "prisma/config";

const url = process.env.DATABASE_OWNER_URL || process.env.DATABASE_URL;

export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  // Only Prisma's own commands against an outside database ask for it.
  ...(url ? { datasource: { url } } : {}),
});
