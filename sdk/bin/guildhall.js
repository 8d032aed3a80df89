#!/usr/bin/env node
import("../dist/cli/guildhall.js").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error("guildhall is not built. Run: npm run build --workspace guildhall-sdk");
  process.exitCode = 1;
});
