// Exits with 0 if this process can serve. The image has neither curl nor wget.
const response = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
