// Exits with 0 if this process can serve. The image has neither curl nor wget.
const { HOST = "", PORT } = process.env;
const host = ["", "0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
const response = await fetch(`http://${host}:${PORT || 3000}/readyz`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
