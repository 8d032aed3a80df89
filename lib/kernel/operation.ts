/** The operation that a request turned out to be, for the access log and metrics. The key is Node's request. */
const operations = new WeakMap<object, string>();

export function noteOperation(request: object, operation: string): void {
  operations.set(request, operation);
}

export function operationOf(request: object): string | undefined {
  return operations.get(request);
}
