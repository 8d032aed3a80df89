// @peculiar/x509 finds its parts through tsyringe, which will not load without the Reflect metadata proposal. It asks for the
// three functions below and nothing more. Import this file before that package.

const metadata = new WeakMap<object, Map<unknown, unknown>>();

function getOwn(key: unknown, target: object): unknown {
  return metadata.get(target)?.get(key);
}

function define(key: unknown, value: unknown, target: object): void {
  const values = metadata.get(target) ?? new Map();
  metadata.set(target, values.set(key, value));
}

if (!("getMetadata" in Reflect)) {
  Object.assign(Reflect, { getMetadata: getOwn, getOwnMetadata: getOwn, defineMetadata: define });
}
