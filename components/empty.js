// Stands in for modules that the pages do not need (next.config.mjs).
export {};
